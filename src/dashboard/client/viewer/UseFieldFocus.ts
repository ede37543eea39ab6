import type { RefObject } from "preact"
import { useLayoutEffect, useState } from "preact/hooks"

/** Names the button to the next document, among the keys of fields. */
export const nextKey = "next"

/** Gives the focus to a field of the list, or to the button below it, as soon as it is drawn. */
export const useFieldFocus = (list: RefObject<HTMLElement | null>): ((key: string | undefined) => void) => {
  const [wanted, want] = useState<{ readonly key: string | undefined }>()
  useLayoutEffect(() => {
    const found = [...(list.current?.querySelectorAll("[data-item]") ?? [])].find(
      (element) => element instanceof HTMLElement && element.dataset["item"] === wanted?.key
    )
    if (!(found instanceof HTMLElement)) return
    found.focus({ preventScroll: true })
    found.scrollIntoView({ block: "nearest" })
  }, [wanted])
  return (key) => want({ key })
}
