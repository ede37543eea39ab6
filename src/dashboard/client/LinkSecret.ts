/** The secret of the sign-in link that was opened, if one was; it is removed from the address bar and the history. */
export const takeLinkSecret = (): string | undefined => {
  const secret = location.hash.slice(1)
  if (secret === "") return undefined
  history.replaceState(null, "", location.pathname + location.search)
  return secret
}
