import { type GrayImage, sample, type Target } from "./GrayImage.ts"
import type { TextBox } from "./TextBox.ts"

/** A box that is this much taller than wide contains text that runs upwards. */
const tall = 1.5

/** Turns a tall box by a quarter, anticlockwise, as PaddleOCR does. */
export const asRead = (box: TextBox): TextBox =>
  box.h < tall * box.w ? box : { ...box, w: box.h, h: box.w, ux: box.uy, uy: -box.ux }

/** Samples the line into the target, straightened and scaled to its size; see `sample` for `factor` and `shift`. */
export const cutLine = (
  pyramid: ReadonlyArray<GrayImage>,
  box: TextBox,
  target: Target,
  factor: number,
  shift: number
): void => {
  const [stepX, stepY] = [box.w / target.width, box.h / target.height]
  const [along, across] = [((1 - target.width) / 2) * stepX, ((1 - target.height) / 2) * stepY]
  sample(
    pyramid,
    {
      x: box.cx + along * box.ux - across * box.uy,
      y: box.cy + along * box.uy + across * box.ux,
      right: [stepX * box.ux, stepX * box.uy],
      down: [-stepY * box.uy, stepY * box.ux]
    },
    target,
    factor,
    shift
  )
}
