import type { Box } from "../../domain/DocumentIR.ts"
import { fromUpright, type Size, type Slant, toUpright, turnedSize } from "../../domain/Slant.ts"
import type { PageImage } from "../formats/FormatReader.ts"

/** Quarter turns, clockwise. */
export type Turns = 0 | 1 | 2 | 3

/**
 * A picture of a page, prepared for recognition: first turned by quarter turns, then by `-skew` degrees about its
 * centre, then enlarged or reduced. `page` is its size before, in points.
 */
export interface ScanImage extends PageImage {
  readonly page: { readonly width: number; readonly height: number }
  readonly turns: Turns
  readonly skew: number
  /** The degrees clockwise by which its lines still lean. */
  readonly lean: number
  /** The factor by which it was enlarged. Tesseract reads it best without this information. */
  readonly enlarged: number
  /** Whether the lines of the original seem to run vertically. */
  readonly sideways: boolean
}

/** Converts a box of the picture (in its own points, from its top left corner) to the page. Sizes are unchanged. */
export const onPage = (scan: ScanImage, box: Box): Box => {
  const { width, height } = turnedSize(scan, scan.page)
  const scale = 72 / scan.dpi
  // A straightened picture is larger than the page; both have the same centre.
  const left = (width - scan.width * scale) / 2
  const top = (height - scan.height * scale) / 2
  return fromUpright(scan, scan.page, { ...box, x: box.x + left, y: box.y + top })
}

const leaning = ({ lean }: ScanImage): Slant => ({ turns: 0, skew: lean })

/** The box of a picture whose lines lean (in its own points), as it would be if they did not. Sizes are unchanged. */
export const straight = (scan: ScanImage, size: Size, box: Box): Box =>
  scan.lean === 0 ? box : toUpright(leaning(scan), size, box)

/** The reverse of `straight`. */
export const asItLeans = (scan: ScanImage, size: Size, box: Box): Box =>
  scan.lean === 0 ? box : fromUpright(leaning(scan), size, box)
