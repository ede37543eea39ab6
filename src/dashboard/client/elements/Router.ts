import { type ComponentChildren, h } from "preact"
import { useEffect, useState } from "preact/hooks"
import { base } from "./Http.ts"
import { mayLeave } from "./Leaving.ts"
import { forgetPlace, keepPlace, keepPlaceOnReload, restorePlace } from "./ScrollPlaces.ts"

const changed = "docflow:navigated"

/** The address of the shown page, without the base path. */
const here = () => location.pathname.slice(base.length) + location.search

/** Where the shown page is in the history of this tab. */
let at = 0
let shown = ""
/** The history is being moved back to the page that the person did not want to leave. */
let isReturning = false

const indexOf = (state: unknown): number | undefined =>
  typeof state === "object" && state !== null && "index" in state && typeof state.index === "number"
    ? state.index
    : undefined

const show = (): void => {
  shown = here()
  dispatchEvent(new Event(changed))
}

/** Shows another page of the dashboard; false if the person stays, because something here is not saved. */
export const navigate = (to: string, how: "push" | "replace" = "push"): boolean => {
  if (!mayLeave()) return false
  // As for links of other pages: Back does not lead to the page that is shown already, after a double click for example.
  if (how === "push" && to !== shown) {
    keepPlace(at)
    at += 1
    forgetPlace(at)
    history.pushState({ index: at }, "", base + to)
  } else history.replaceState({ index: at }, "", base + to)
  show()
  return true
}

/** Shows the page to which Back or Forward leads, where it was scrolled to. */
const move = ({ state }: PopStateEvent): void => {
  if (isReturning) {
    isReturning = false
    return
  }
  // A link within the page adds an entry without an index.
  const to = indexOf(state) ?? at
  if (here() !== shown && !mayLeave()) {
    isReturning = true
    history.go(at - to)
    return
  }
  if (here() !== shown) {
    keepPlace(at)
    restorePlace(to)
    show()
  }
  at = to
}

/** Follows the history of the tab from now on. */
export const followHistory = (): void => {
  at = indexOf(history.state) ?? 0
  shown = here()
  history.scrollRestoration = "manual"
  history.replaceState({ index: at }, "")
  keepPlaceOnReload()
  addEventListener("popstate", move)
}

/** The address of the page that is shown; the component is drawn again when it changes. */
export const useAddress = (): URL => {
  const [address, setAddress] = useState(here)
  useEffect(() => {
    const update = () => setAddress(here())
    addEventListener(changed, update)
    return () => removeEventListener(changed, update)
  }, [])
  return new URL(address, location.origin)
}

interface LinkProps {
  readonly to: string
  readonly class?: string
  /** The link leads to the page that is shown. */
  readonly current?: boolean
  readonly children?: ComponentChildren
}

/** A link within the dashboard: it changes the page without loading it anew. */
export const Link = ({ children, class: className, current = false, to }: LinkProps): ComponentChildren =>
  h(
    "a",
    {
      href: base + to,
      ...(className === undefined ? {} : { class: className }),
      ...(current ? { "aria-current": "page" as const } : {}),
      onClick: (event: MouseEvent) => {
        // With a modifier key, the browser opens a tab or a window.
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        navigate(to)
      }
    },
    children
  )
