import { type ComponentChildren, h } from "preact"
import { useEffect, useState } from "preact/hooks"

const changed = "docflow:navigated"

/** Shows another page of the dashboard. */
export const navigate = (to: string, how: "push" | "replace" = "push"): void => {
  if (how === "push") history.pushState(null, "", to)
  else history.replaceState(null, "", to)
  dispatchEvent(new Event(changed))
}

const here = () => location.pathname + location.search

/** The address of the page that is shown; the component is drawn again when it changes. */
export const useAddress = (): URL => {
  const [address, setAddress] = useState(here)
  useEffect(() => {
    const update = () => setAddress(here())
    addEventListener("popstate", update)
    addEventListener(changed, update)
    return () => {
      removeEventListener("popstate", update)
      removeEventListener(changed, update)
    }
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
      href: to,
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
