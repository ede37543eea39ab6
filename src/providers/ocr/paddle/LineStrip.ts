import type { Box } from "../../../domain/DocumentIR.ts"
import { cutLine } from "./CutLine.ts"
import type { GrayImage } from "./GrayImage.ts"
import { blackOnWhite, isOnBand, levelsOf } from "./Ink.ts"
import { type TextBox, uprightPart } from "./TextBox.ts"

/** The white margin around the line, in pixels: Tesseract loses text that touches the border. */
const margin = 10
/** The maximum height; Tesseract reduces higher lines itself. */
const highest = 96
const lowest = 16
const widest = 8000
/** The boxes of lines are a little higher than their letters. */
const shareOfHeight = 0.8

const sizeOf = (box: TextBox) => {
  const height = Math.max(lowest, Math.min(highest, Math.round(box.h)))
  const width = Math.max(lowest, Math.min(widest, Math.round((box.w * height) / box.h)))
  return { width, height }
}

/** The line alone, straightened; what is printed on a band, or in light, in black on white. */
export const lineOf = (
  pyramid: ReadonlyArray<GrayImage>,
  box: TextBox,
  width: number,
  height: number
): Uint8Array => {
  const line = new Uint8Array(width * height)
  cutLine(pyramid, box, { values: line, offset: 0, stride: width, width, height }, 1, 0)
  const levels = levelsOf({ pixels: line })
  return levels !== undefined && isOnBand(line, levels)
    ? line.map((level) => blackOnWhite(level, levels))
    : line
}

/** The line on white. */
export const stripOf = (pyramid: ReadonlyArray<GrayImage>, box: TextBox): GrayImage => {
  const { width, height } = sizeOf(box)
  const line = lineOf(pyramid, box, width, height)
  const stride = width + 2 * margin
  const pixels = new Uint8Array(stride * (height + 2 * margin)).fill(255)
  for (let row = 0; row < height; row++)
    pixels.set(line.subarray(row * width, (row + 1) * width), (margin + row) * stride + margin)
  return { width: stride, height: height + 2 * margin, pixels }
}

/** Converts the box of a word from the strip to the picture. */
export const fromStrip = (box: TextBox, word: Box): Box => {
  const { width } = sizeOf(box)
  const from = Math.max(0, Math.min(1, (word.x - margin) / width))
  const to = Math.max(from, Math.min(1, (word.x + word.w - margin) / width))
  return uprightPart(box, from, to, shareOfHeight)
}
