import { type ComponentChildren, h, type RefObject } from "preact"
import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { html } from "htm/preact"
import type { FieldPlace, PageText } from "../../../domain/PageText.ts"
import { problemNote } from "../elements/Elements.ts"
import { type Item, keyOf, type Level } from "./ViewerItems.ts"
import { call } from "../elements/Http.ts"
import type { PageFile } from "./ViewerFiles.ts"
import { useResource } from "../elements/UseResource.ts"
import type { Box } from "../../../domain/DocumentIR.ts"

/** The maximum number of words of a value. */
const mostWords = 8

const folded = (text: string): string => text.toLowerCase().trim()

const around = (boxes: ReadonlyArray<Box>): Box => {
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))]
  const [right, bottom] = [
    Math.max(...boxes.map((box) => box.x + box.w)),
    Math.max(...boxes.map((box) => box.y + box.h))
  ]
  return { x, y, w: right - x, h: bottom - y }
}

/** Where a value is printed on a page in the letters in which a person typed it. */
const printedAt = ({ lines }: PageText, value: unknown): Box | undefined => {
  const wanted = folded(String(value ?? ""))
  if (wanted === "") return undefined
  for (const { words } of lines) {
    for (const from of words.keys()) {
      for (let to = from + 1; to <= Math.min(words.length, from + mostWords); to++) {
        const run = words.slice(from, to)
        if (folded(run.map(({ text }) => text).join(" ")) === wanted)
          return around(run.map(({ bbox }) => bbox))
      }
    }
  }
  return undefined
}

/**
 * The places of fields on a page. A corrected value is where its box was drawn, or where it is printed as it was typed: the place
 * of the wrong value is no longer its place.
 */
const placesWith = (page: PageText, corrected: ReadonlyArray<Item>): ReadonlyArray<FieldPlace> => {
  const keys = new Set(corrected.map(({ key }) => key))
  const moved = corrected.flatMap(({ column, drawn, field, row, step, value }): ReadonlyArray<FieldPlace> => {
    const bbox =
      drawn === undefined ? printedAt(page, value) : drawn.page === page.page ? drawn.bbox : undefined
    if (bbox === undefined) return []
    return [
      {
        step,
        field,
        bbox,
        ...(row === undefined ? {} : { row }),
        ...(column === undefined ? {} : { column })
      }
    ]
  })
  return [...page.places.filter((place) => !keys.has(keyOf(place))), ...moved]
}

/** Where on the page the pointer is, in points. */
const pointOf = (svg: SVGSVGElement | null, { clientX, clientY }: MouseEvent) => {
  if (svg === null) return undefined
  const { height, left, top, width } = svg.getBoundingClientRect()
  const { height: down, width: across } = svg.viewBox.baseVal
  return { x: ((clientX - left) / width) * across, y: ((clientY - top) / height) * down }
}

/** A box that was drawn on a page, in points of the upright page. */
interface DrawnBox {
  readonly page: number
  readonly bbox: Box
}

interface Point {
  readonly x: number
  readonly y: number
}

const boxOf = (from: Point, to: Point): Box => ({
  x: Math.min(from.x, to.x),
  y: Math.min(from.y, to.y),
  w: Math.abs(from.x - to.x),
  h: Math.abs(from.y - to.y)
})

/** The smallest box, in points; anything smaller is a click. */
const smallest = 3

/** Drawing a box on a page with the pointer, while `drawing` is on. */
const useDrawing = (
  svg: RefObject<SVGSVGElement | null>,
  page: number,
  { drawing, onDrawn }: { readonly drawing: boolean; readonly onDrawn: (drawn: DrawnBox) => void }
): { readonly handlers: object; readonly rectangle: ComponentChildren } => {
  const [from, setFrom] = useState<Point>()
  const [to, setTo] = useState<Point>()
  if (!drawing) return { handlers: {}, rectangle: null }
  const down = (event: PointerEvent) => {
    event.preventDefault()
    svg.current?.setPointerCapture(event.pointerId)
    setFrom(pointOf(svg.current, event))
    setTo(undefined)
  }
  const move = (event: PointerEvent) => {
    if (from !== undefined) setTo(pointOf(svg.current, event))
  }
  const up = () => {
    setFrom(undefined)
    setTo(undefined)
    if (from === undefined || to === undefined) return
    const bbox = boxOf(from, to)
    if (bbox.w >= smallest && bbox.h >= smallest) onDrawn({ page, bbox })
  }
  const box = from === undefined || to === undefined ? undefined : boxOf(from, to)
  return {
    handlers: { onPointerDown: down, onPointerMove: move, onPointerUp: up },
    rectangle:
      box === undefined
        ? null
        : html`<rect class="drawn" x=${box.x} y=${box.y} width=${box.w} height=${box.h} />`
  }
}

/** The baseline is so far down in the box of a word. */
const baseline = 0.8

/** The words of a page at their positions, for selection and search; `visible` if the page has no picture. */
const textLayer = ({ lines }: PageText, visible: boolean): ComponentChildren =>
  html`<g class=${visible ? "text-layer text-visible" : "text-layer"}>
    ${lines.map(
      ({ words }, index) =>
        html`<text key=${index}>
          ${words.map(
            ({ bbox: { h, w, x, y }, text }) =>
              html`<tspan
                  x=${x}
                  y=${y + h * baseline}
                  font-size=${h}
                  textLength=${w}
                  lengthAdjust="spacingAndGlyphs"
                  >${text}</tspan
                ><tspan font-size=${h}> </tspan>`
          )}
        </text>`
    )}
  </g>`

/** What a page shows of the fields, and what it tells. */
export interface SheetProps {
  /** The URL of something of a page: `/3/picture?side=800`. */
  readonly file: PageFile
  readonly page: number
  readonly hasPictures: boolean
  /** Longest side of the picture, in pixels. */
  readonly side: number
  readonly levels: ReadonlyMap<string, Level>
  /** The fields that a person corrected. */
  readonly corrected: ReadonlyArray<Item>
  readonly selected: string | undefined
  readonly pointed: string | undefined
  readonly drawing: boolean
  readonly onSize: (page: number, width: number, height: number) => void
  readonly onPoint: (key: string | undefined) => void
  readonly onSelect: (key: string) => void
  readonly onDrawn: (drawn: DrawnBox) => void
}

/** Around a box, in points, so that it does not touch its letters. */
const margin = 2

const contains = ({ bbox: { h, w, x, y } }: FieldPlace, at: { readonly x: number; readonly y: number }) =>
  at.x >= x - margin && at.x <= x + w + margin && at.y >= y - margin && at.y <= y + h + margin

/** The smallest place at a point: a cell rather than its table. */
const placeAt = (places: ReadonlyArray<FieldPlace>, at: { readonly x: number; readonly y: number }) =>
  places
    .filter((place) => contains(place, at))
    .toSorted((one, other) => one.bbox.w * one.bbox.h - other.bbox.w * other.bbox.h)[0]

/** A page: its picture, its text to select, and the places of fields. */
export const PageSheet = (props: SheetProps): ComponentChildren => {
  const { file, hasPictures, onPoint, onSelect, onSize, page, selected, side } = props
  const { data, problem } = useResource<PageText>(
    call("GET /api/v1/runs/:executionId/pages/:page", { ...file, page })
  )
  const places = useMemo(
    () => (data === undefined ? [] : placesWith(data, props.corrected)),
    [data, props.corrected]
  )
  const svg = useRef<SVGSVGElement>(null)
  const { handlers, rectangle } = useDrawing(svg, page, props)

  useEffect(() => {
    if (data !== undefined) onSize(page, data.width, data.height)
  }, [data])
  useEffect(() => {
    if (data === undefined || selected === undefined) return
    const own = svg.current?.querySelector('[data-selected="true"]')
    if (own !== null && own !== undefined) bringIntoView(own)
  }, [places, selected])

  const pointAt = (event: MouseEvent) => {
    const at = pointOf(svg.current, event)
    const place = at === undefined ? undefined : placeAt(places, at)
    return place === undefined ? undefined : keyOf(place)
  }
  const click = (event: MouseEvent) => {
    const key = pointAt(event)
    if (key !== undefined && getSelection()?.isCollapsed !== false && !props.drawing) onSelect(key)
  }
  return html`<div class="sheet">
    ${
      hasPictures
        ? h("img", {
            src: call("GET /api/v1/runs/:executionId/pages/:page/picture", { ...file, page, side }).url,
            alt: `Page ${page}`,
            draggable: false
          })
        : null
    }
    ${problem === undefined ? null : html`<div class="sheet-note">${problemNote(problem)}</div>`}
    ${
      data === undefined
        ? null
        : html`<svg
            ref=${svg}
            viewBox=${`0 0 ${data.width} ${data.height}`}
            preserveAspectRatio="none"
            class=${props.drawing ? "drawing" : ""}
            onMouseMove=${(event: MouseEvent) => onPoint(pointAt(event))}
            onMouseLeave=${() => onPoint(undefined)}
            onClick=${click}
            ...${handlers}
          >
            <title>Text and fields of page ${page}</title>
            ${textLayer(data, !hasPictures)} ${places.map((place) => placeOf(place, props))} ${rectangle}
          </svg>`
    }
  </div>`
}

const placeOf = ({ bbox, ...place }: FieldPlace, props: SheetProps): ComponentChildren => {
  const key = keyOf(place)
  const level = props.levels.get(key)
  if (level === undefined) return null
  const isSelected = key === props.selected
  return html`<rect
    key=${key}
    data-field=${place.field}
    data-row=${place.row}
    data-column=${place.column}
    data-selected=${String(isSelected)}
    class=${`place place-${level} ${isSelected ? "is-selected" : ""} ${key === props.pointed ? "is-pointed" : ""}`}
    x=${bbox.x - margin}
    y=${bbox.y - margin}
    width=${bbox.w + 2 * margin}
    height=${bbox.h + 2 * margin}
    rx="1.5"
  />`
}

/** Scrolls the pages, and nothing else, until the place is well visible. */
const bringIntoView = (place: Element): void => {
  const scroller = place.closest(".pages")
  if (scroller === null) return
  const [inner, outer] = [place.getBoundingClientRect(), scroller.getBoundingClientRect()]
  const isVisible = inner.top >= outer.top + 8 && inner.bottom <= outer.bottom - 8
  const top = isVisible ? 0 : inner.top - outer.top - outer.height / 3
  const fits = inner.left >= outer.left && inner.right <= outer.right
  scroller.scrollBy({ top, left: fits ? 0 : inner.left - outer.left - outer.width / 3 })
}
