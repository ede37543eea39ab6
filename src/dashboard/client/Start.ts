import { h, render } from "preact"
import { App } from "./DashboardApp.ts"
import { ignoreStrayFiles } from "./elements/DropZone.ts"
import { followHistory } from "./elements/Router.ts"

/** The element that had the focus last, and those around it, from the inside to the outside. */
let focused: ReadonlyArray<Element> = []

const withParents = (element: Element | null): ReadonlyArray<Element> =>
  element === null ? [] : [element, ...withParents(element.parentElement)]

/** Where somebody goes on who used something that no longer exists: in its row, at its section, or at the page. */
const landing = (): Element | null => {
  const rest = focused.find((element) => element.isConnected) ?? document.body
  return (
    rest.closest("tr")?.querySelector("th") ??
    rest.closest("section")?.querySelector("h2") ??
    document.querySelector("main h1")
  )
}

const land = (): void => {
  const isLost = focused[0]?.isConnected === false && document.activeElement === document.body
  const target = isLost ? landing() : null
  if (!(target instanceof HTMLElement)) return
  if (!target.hasAttribute("tabindex")) target.tabIndex = -1
  target.focus({ preventScroll: true })
}

/**
 * Keeps the focus from falling to the body, from where Tab starts at the top of the page, when the button or link that has it is
 * removed: by what it did, or because its list was loaded again.
 */
const keepFocus = (root: HTMLElement): void => {
  root.addEventListener("focusin", ({ target }) => {
    focused = target instanceof Element ? withParents(target) : []
  })
  addEventListener("pointerdown", ({ target }) => {
    // Who clicks elsewhere has left it.
    if (target instanceof Node && focused[0]?.contains(target) !== true) focused = []
  })
  new MutationObserver(land).observe(root, { childList: true, subtree: true })
}

/** Loads the page again when a sign-in link is opened in its tab: only the fragment of the address changes then. */
const followLinks = (): void => addEventListener("hashchange", () => location.reload())

/** The secret of the sign-in link that was opened, if one was; it is removed from the address bar and the history. */
const takeLinkSecret = (): string | undefined => {
  const secret = location.hash.slice(1)
  if (secret === "") return undefined
  history.replaceState(null, "", location.pathname + location.search)
  return secret
}

const root = document.getElementById("app")
const linkSecret = takeLinkSecret()
followLinks()
followHistory()
ignoreStrayFiles()
if (root !== null) {
  keepFocus(root)
  render(h(App, { linkSecret }), root)
}
