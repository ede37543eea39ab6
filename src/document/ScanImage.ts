import type { Box } from "../domain/DocumentIR.ts"
import type { PageImage } from "./FormatReader.ts"

/** Quarter turns, clockwise. */
export type Turns = 0 | 1 | 2 | 3

/**
 * A picture of a page, made ready for recognition: first turned by quarters, then by `-skew` degrees about its middle,
 * then enlarged or reduced. `page` is its size before, in points.
 */
export interface ScanImage extends PageImage {
  readonly page: { readonly width: number; readonly height: number }
  readonly turns: Turns
  readonly skew: number
  /** How many times larger it was made. Tesseract reads it best when it is not told. */
  readonly enlarged: number
  /** The lines of the original seem to run up or down. */
  readonly sideways: boolean
}

const around = (x: number, y: number, w: number, h: number): Box => ({ x: x - w / 2, y: y - h / 2, w, h })

/** From the picture's own points (from its top left, upright) to where that is on the page. Sizes stay as they are. */
export const onPage = (scan: ScanImage, box: Box): Box => {
  const { width, height } = scan.page
  const scale = 72 / scan.dpi
  const [across, down] = scan.turns % 2 === 0 ? [width, height] : [height, width]
  const angle = (scan.skew * Math.PI) / 180
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)]
  const fromMiddleX = box.x + box.w / 2 - (scan.width * scale) / 2
  const fromMiddleY = box.y + box.h / 2 - (scan.height * scale) / 2
  const x = fromMiddleX * cos - fromMiddleY * sin + across / 2
  const y = fromMiddleX * sin + fromMiddleY * cos + down / 2
  switch (scan.turns) {
    case 1:
      return around(y, height - x, box.h, box.w)
    case 2:
      return around(width - x, height - y, box.w, box.h)
    case 3:
      return around(width - y, x, box.h, box.w)
    default:
      return around(x, y, box.w, box.h)
  }
}
