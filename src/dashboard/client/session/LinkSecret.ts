/** Loads the page again when a sign-in link is opened in its tab: only the fragment of the address changes then. */
export const followLinks = (): void => addEventListener("hashchange", () => location.reload())

/** The secret of the sign-in link that was opened, if one was; it is removed from the address bar and the history. */
export const takeLinkSecret = (): string | undefined => {
  const secret = location.hash.slice(1)
  if (secret === "") return undefined
  history.replaceState(null, "", location.pathname + location.search)
  return secret
}
