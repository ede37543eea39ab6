import { asRead } from "./CutLine.ts"
import { findLines } from "./FindLines.ts"
import { type GrayImage, sample } from "./GrayImage.ts"
import type { Network } from "./Networks.ts"
import type { TextBox } from "./TextBox.ts"
import { withWholeLines } from "./WholeLines.ts"

/** The longest side of the network's input; sides must be multiples of the second number. */
const longestSide = 960
const multiple = 32
/** The normalization used in training: mean and deviation of the channels blue, green, red. */
const channels = [
  [0.406, 0.225],
  [0.456, 0.224],
  [0.485, 0.229]
] as const

const fitted = (side: number, scale: number): number =>
  Math.max(multiple, Math.round((side * scale) / multiple) * multiple)

/** Finds the lines of text in a picture, in its pixels, each turned for reading, roughly from top to bottom. */
export const detectLines = async (
  network: Network,
  pyramid: ReadonlyArray<GrayImage>
): Promise<ReadonlyArray<TextBox>> => {
  const [image] = pyramid
  if (image === undefined) return []
  const scale = Math.min(1, longestSide / Math.max(image.width, image.height))
  const [width, height] = [fitted(image.width, scale), fitted(image.height, scale)]
  const [stepX, stepY] = [image.width / width, image.height / height]
  const size = width * height
  const values = new Float32Array(3 * size)
  const target = { values, offset: 0, stride: width, width, height }
  const sampling = { x: stepX / 2, y: stepY / 2, right: [stepX, 0], down: [0, stepY] } as const
  sample(pyramid, sampling, target, 1 / 255, 0)
  // The gray picture becomes three channels; the first is converted last, because it contains the source values.
  for (let channel = 2; channel >= 0; channel--) {
    const [mean, deviation] = channels[channel] ?? channels[0]
    for (let i = 0; i < size; i++) values[channel * size + i] = ((values[i] ?? 0) - mean) / deviation
  }
  const map = await network.run(values, [1, 3, height, width])
  const boxes = findLines({ width, height, values: map.values }).map((box) =>
    asRead({
      cx: (box.cx + 0.5) * stepX,
      cy: (box.cy + 0.5) * stepY,
      w: box.w * Math.hypot(box.ux * stepX, box.uy * stepY),
      h: box.h * Math.hypot(box.uy * stepX, box.ux * stepY),
      ux: box.ux,
      uy: box.uy
    })
  )
  return withWholeLines(pyramid, boxes)
}
