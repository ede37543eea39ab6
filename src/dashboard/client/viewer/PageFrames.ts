import { h, type ComponentChildren } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { html } from "htm/preact"
import { PageSheet, type SheetProps } from "./PageSheet.ts"

/** The size of a page, in points. */
export interface PageSize {
  readonly width: number
  readonly height: number
}

interface FrameProps extends SheetProps {
  readonly size: PageSize
  /** Width on the screen, in pixels. */
  readonly width: number
  readonly onSeen: (page: number) => void
}

/** Pages out of sight wait this long, in milliseconds, so that those in sight come first. */
const outOfSight = 300

/** Whether a page is in sight, or has been near it for a moment. */
const useNear = (
  frame: { readonly current: HTMLElement | null },
  onSeen: () => void,
  page: number
): boolean => {
  const [near, setNear] = useState(false)
  useEffect(() => {
    const element = frame.current
    if (element === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const watch = (rootMargin: string, onChange: (isInside: boolean) => void) => {
      const root = element.closest(".pages")
      const observer = new IntersectionObserver(
        (entries) => onChange(entries.at(-1)?.isIntersecting === true),
        { root, rootMargin }
      )
      observer.observe(element)
      return observer
    }
    const observers = [
      watch("0px", (isInside) => isInside && setNear(true)),
      watch("60% 0px", (isInside) => {
        clearTimeout(timer)
        if (isInside) timer = setTimeout(() => setNear(true), outOfSight)
        else setNear(false)
      }),
      watch("-45% 0px", (isInside) => isInside && onSeen())
    ]
    return () => {
      clearTimeout(timer)
      for (const observer of observers) observer.disconnect()
    }
  }, [page])
  return near
}

/** The frame of a page in the list; the page itself is rendered and fetched only while it is near the viewport. */
export const PageFrame = ({ onSeen, size, width, ...sheet }: FrameProps): ComponentChildren => {
  const frame = useRef<HTMLDivElement>(null)
  const near = useNear(frame, () => onSeen(sheet.page), sheet.page)
  const height = (width * size.height) / size.width
  return html`<div
    ref=${frame}
    class="frame"
    data-page=${sheet.page}
    style=${{ width: `${width}px`, height: `${height}px` }}
  >
    ${near ? h(PageSheet, { key: sheet.page, ...sheet }) : html`<span class="quiet">Page ${sheet.page}</span>`}
  </div>`
}
