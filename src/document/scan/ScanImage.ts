import type { Box } from "../../domain/DocumentIR.ts"
import { fromUpright, turnedSize } from "../../domain/Slant.ts"
import type { PageImage } from "../formats/FormatReader.ts"

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

/** From the picture's own points (from its top left, upright) to where that is on the page. Sizes stay as they are. */
export const onPage = (scan: ScanImage, box: Box): Box => {
  const { width, height } = turnedSize(scan, scan.page)
  const scale = 72 / scan.dpi
  // Straightened, a picture is larger than the page; both have the same middle.
  const left = (width - scan.width * scale) / 2
  const top = (height - scan.height * scale) / 2
  return fromUpright(scan, scan.page, { ...box, x: box.x + left, y: box.y + top })
}
