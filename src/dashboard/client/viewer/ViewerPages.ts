import { type ComponentChildren, h } from "preact"
import { useCallback, useEffect, useRef, useState, useLayoutEffect } from "preact/hooks"
import { html } from "htm/preact"
import type { PageSizes } from "../../../domain/PageText.ts"
import { PageSheet, type SheetProps } from "./PageSheet.ts"

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
const useKeptPlace = (
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

/** The size of a page, in points. */
interface PageSize {
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
const PageFrame = ({ onSeen, size, width, ...sheet }: FrameProps): ComponentChildren => {
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

interface PagesProps extends Omit<SheetProps, "page" | "side" | "hasPictures" | "onSize"> {
  readonly sizes: PageSizes
  /** What is shown above the pages, such as a choice of files. */
  readonly above: ComponentChildren
  /** The page that is to be shown; it changes with what is selected. */
  readonly wanted: { readonly page: number } | undefined
}

const usual: PageSize = { width: 595, height: 842 }
/** Pictures are requested in few sizes, so that caches hit. */
const sides = [800, 1200, 1600, 2400, 3200]
const zooms = [0.5, 0.75, 1, 1.5, 2, 3]
const gap = 24

/** All pages below each other, with zoom and page number. */
export const ViewerPages = ({ above, sizes, wanted, ...sheet }: PagesProps): ComponentChildren => {
  const scroller = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState(600)
  const [zoom, setZoom] = useState(1)
  const [seen, setSeen] = useState(1)
  const [known, setKnown] = useState<ReadonlyMap<number, PageSize>>(
    () => new Map(sizes.pages.map(({ height, page, width }) => [page, { width, height }]))
  )
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const observer = new ResizeObserver(() => setRoom(element.clientWidth - gap))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const onSize = useCallback((page: number, width: number, height: number) => {
    setKnown((last) => {
      const old = last.get(page)
      return old?.width === width && old.height === height
        ? last
        : new Map([...last, [page, { width, height }]])
    })
  }, [])
  const goTo = (page: number) => {
    const frame = scroller.current?.querySelector(`[data-page="${page}"]`)
    if (!(frame instanceof HTMLElement) || scroller.current === null) return
    scroller.current.scrollTop = frame.offsetTop - gap / 2
  }
  useEffect(() => {
    const frame =
      wanted === undefined ? null : scroller.current?.querySelector(`[data-page="${wanted.page}"] svg`)
    // A rendered page scrolls to the place itself.
    if (wanted !== undefined && (frame === null || frame === undefined)) goTo(wanted.page)
  }, [wanted])
  const first = known.get(1) ?? [...known.values()][0] ?? usual
  const width = Math.max(100, Math.min(room, 1000) * zoom)
  const keepPlace = useKeptPlace(scroller, seen, width)
  const zoomTo = (next = zoom) => {
    keepPlace()
    setZoom(next)
  }
  const step = (by: number) => zoomTo(zooms[zooms.indexOf(zoom) + by])
  useZoomKeys(sheet.selected !== undefined, step)
  const sideOf = ({ height, width: across }: PageSize) => {
    const pixels = Math.max(width, (width * height) / across) * Math.min(2, devicePixelRatio)
    return sides.find((side) => side >= pixels * 0.9) ?? 3200
  }
  return html`<div class="viewer-pages">
    ${above}
    <div class="viewer-bar" role="group" aria-label="Pages and zoom">
      <button
        type="button"
        aria-label="Previous page"
        aria-disabled=${seen <= 1}
        onClick=${() => goTo(seen - 1)}
      >
        ↑
      </button>
      <span>Page ${seen} of ${sizes.pageCount}</span>
      <button
        type="button"
        aria-label="Next page"
        aria-disabled=${seen >= sizes.pageCount}
        onClick=${() => goTo(seen + 1)}
      >
        ↓
      </button>
      <span class="bar-space"></span>
      <button
        type="button"
        aria-label="Zoom out"
        aria-disabled=${zoom === zooms[0]}
        onClick=${() => step(-1)}
      >
        −
      </button>
      <button
        type="button"
        aria-label=${`${Math.round(zoom * 100)} %, fit the width`}
        onClick=${() => zoomTo(1)}
      >
        ${Math.round(zoom * 100)} %
      </button>
      <button
        type="button"
        aria-label="Zoom in"
        aria-disabled=${zoom === zooms.at(-1)}
        onClick=${() => step(1)}
      >
        +
      </button>
    </div>
    <div class="pages" ref=${scroller} tabindex="0" role="region" aria-label="Pages of the document">
      ${Array.from({ length: sizes.pageCount }, (_, index) => {
        const page = index + 1
        const size = known.get(page) ?? first
        return h(PageFrame, {
          key: page,
          ...sheet,
          page,
          size,
          width,
          side: sideOf(size),
          hasPictures: sizes.hasPictures,
          onSize,
          onSeen: setSeen
        })
      })}
    </div>
  </div>`
}

/** The element in which a key was pressed, also inside of a shadow root, whose host is the target of the event. */
export const pressedIn = (event: KeyboardEvent): Element | undefined => {
  const [innermost] = event.composedPath()
  return innermost instanceof Element ? innermost : undefined
}

/** Whether a key is typed into a field, the editor or a dialog. */
export const isInField = (event: KeyboardEvent): boolean => {
  const target = pressedIn(event)
  return (
    (target instanceof HTMLElement && target.isContentEditable) ||
    target?.matches("input, textarea, select, dialog *") === true
  )
}

/** Zooms by + and −, unless they are typed into a field or over the chosen value. */
const useZoomKeys = (isTyping: boolean, step: (by: number) => void): void => {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isTyping || isInField(event) || event.altKey || event.ctrlKey || event.metaKey) return
      if (event.key === "+") step(1)
      if (event.key === "-") step(-1)
    }
    addEventListener("keydown", press)
    return () => removeEventListener("keydown", press)
  })
}
