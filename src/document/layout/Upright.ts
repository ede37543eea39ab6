import type { Box } from "../../domain/DocumentIR.ts"
import type { RawWord, Ruling } from "../formats/FormatReader.ts"

interface Size {
  readonly width: number
  readonly height: number
}

/** The box on the page that is turned so that words of the given direction are upright. */
export const uprightBox = (box: Box, turn: RawWord["turn"], page: Size): Box => {
  const { h, w, x, y } = box
  switch (turn) {
    case 1:
      return { x: y, y: page.width - x - w, w: h, h: w }
    case 2:
      return { x: page.width - x - w, y: page.height - y - h, w, h }
    case 3:
      return { x: page.height - y - h, y: x, w: h, h: w }
    default:
      return { x, y, w, h }
  }
}

/** The same for a line. */
export const uprightRuling = (ruling: Ruling, turn: RawWord["turn"], page: Size): Ruling => {
  const { at, axis, from, to } = ruling
  const flat = axis === "horizontal"
  const box = flat ? { x: from, y: at, w: to - from, h: 0 } : { x: at, y: from, w: 0, h: to - from }
  const turned = uprightBox(box, turn, page)
  return flat === (turn % 2 === 0)
    ? { axis: "horizontal", at: turned.y, from: turned.x, to: turned.x + turned.w }
    : { axis: "vertical", at: turned.x, from: turned.y, to: turned.y + turned.h }
}
