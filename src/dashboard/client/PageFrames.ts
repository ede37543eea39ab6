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

/** The frame of a page in the list; the page itself is rendered and fetched only while it is near the viewport. */
export const PageFrame = ({ onSeen, size, width, ...sheet }: FrameProps): ComponentChildren => {
  const frame = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState(false)
  useEffect(() => {
    const element = frame.current
    if (element === null) return
    const root = element.closest(".pages")
    const around = new IntersectionObserver(
      (entries) => setNear(entries.some(({ isIntersecting }) => isIntersecting)),
      { root, rootMargin: "60% 0px" }
    )
    const middle = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onSeen(sheet.page)
      },
      { root, rootMargin: "-45% 0px" }
    )
    around.observe(element)
    middle.observe(element)
    return () => {
      around.disconnect()
      middle.disconnect()
    }
  }, [sheet.page])
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
