import { useLayoutEffect, useRef } from "preact/hooks"

/** What is in the middle of the list of pages: how far down a page, and how far across all. */
interface Middle {
  readonly page: number
  readonly down: number
  readonly across: number
}

const frameOf = (scroller: HTMLElement, page: number): HTMLElement | undefined => {
  const frame = scroller.querySelector(`[data-page="${page}"]`)
  return frame instanceof HTMLElement ? frame : undefined
}

const middleOf = (scroller: HTMLElement, page: number): Middle | undefined => {
  const frame = frameOf(scroller, page)
  return frame === undefined
    ? undefined
    : {
        page,
        down: (scroller.scrollTop + scroller.clientHeight / 2 - frame.offsetTop) / frame.offsetHeight,
        across: (scroller.scrollLeft + scroller.clientWidth / 2) / scroller.scrollWidth
      }
}

/** Keeps what is in the middle of the pages there while their width changes; call what it returns before the change. */
export const useKeptPlace = (
  scroller: { readonly current: HTMLElement | null },
  page: number,
  width: number
): (() => void) => {
  const kept = useRef<Middle | undefined>(undefined)
  useLayoutEffect(() => {
    const { current: element } = scroller
    const middle = kept.current
    kept.current = undefined
    const frame = element === null || middle === undefined ? undefined : frameOf(element, middle.page)
    if (element === null || middle === undefined || frame === undefined) return
    element.scrollTop = frame.offsetTop + middle.down * frame.offsetHeight - element.clientHeight / 2
    element.scrollLeft = middle.across * element.scrollWidth - element.clientWidth / 2
  }, [width])
  return () => {
    kept.current = scroller.current === null ? undefined : middleOf(scroller.current, page)
  }
}
