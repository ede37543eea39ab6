import type { ComponentChildren, RefObject } from "preact"
import { useState } from "preact/hooks"
import { html } from "htm/preact"
import type { Box } from "../../../domain/DocumentIR.ts"
import { pointOf } from "./PagePoint.ts"

/** A box that was drawn on a page, in points of the upright page. */
export interface DrawnBox {
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
export const useDrawing = (
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
