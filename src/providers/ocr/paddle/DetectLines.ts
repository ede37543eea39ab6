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

/**
 * Lines lower than this, in pixels of the network, are small print: the network runs them together, and loses single figures.
 * From this share of lines on, a page is looked at again, larger by a factor.
 */
const smallPrint = 11.5
const smallShare = 0.25
const larger = 1.5
/** A larger page is looked at in strips, for less memory; they overlap by so many pixels of the network. */
const stripHeight = 480
const overlap = 32

const fitted = (side: number, scale: number): number =>
  Math.max(multiple, Math.round((side * scale) / multiple) * multiple)

/** Rows of a picture. */
interface Rows {
  readonly from: number
  readonly to: number
}

/** A line that the network found, in pixels of the picture, and its height in those of the network. */
interface FoundLine {
  readonly box: TextBox
  readonly seenHeight: number
}

/** Finds the lines in some rows of a picture, which the network sees at a scale. */
const findIn = async (
  network: Network,
  pyramid: ReadonlyArray<GrayImage>,
  { from, to }: Rows,
  scale: number
): Promise<ReadonlyArray<FoundLine>> => {
  const pictureWidth = pyramid[0]?.width ?? 0
  const [width, height] = [fitted(pictureWidth, scale), fitted(to - from, scale)]
  const [stepX, stepY] = [pictureWidth / width, (to - from) / height]
  const size = width * height
  const values = new Float32Array(3 * size)
  const target = { values, offset: 0, stride: width, width, height }
  const sampling = { x: stepX / 2, y: from + stepY / 2, right: [stepX, 0], down: [0, stepY] } as const
  sample(pyramid, sampling, target, 1 / 255, 0)
  // The gray picture becomes three channels; the first is converted last, because it contains the source values.
  for (let channel = 2; channel >= 0; channel--) {
    const [mean, deviation] = channels[channel] ?? channels[0]
    for (let i = 0; i < size; i++) values[channel * size + i] = ((values[i] ?? 0) - mean) / deviation
  }
  const map = await network.run(values, [1, 3, height, width])
  return findLines({ width, height, values: map.values }).map((box) => ({
    seenHeight: Math.min(box.w, box.h),
    box: asRead({
      cx: (box.cx + 0.5) * stepX,
      cy: from + (box.cy + 0.5) * stepY,
      w: box.w * Math.hypot(box.ux * stepX, box.uy * stepY),
      h: box.h * Math.hypot(box.uy * stepX, box.ux * stepY),
      ux: box.ux,
      uy: box.uy
    })
  }))
}

const isSmallPrint = (lines: ReadonlyArray<FoundLine>): boolean =>
  lines.filter(({ seenHeight }) => seenHeight < smallPrint).length > smallShare * lines.length

/** Finds the lines of a picture strip by strip; each line counts in the strip in which its middle is. */
const findInStrips = async (
  network: Network,
  pyramid: ReadonlyArray<GrayImage>,
  height: number,
  scale: number
): Promise<ReadonlyArray<FoundLine>> => {
  const count = Math.ceil((height * scale) / stripHeight)
  const margin = overlap / scale
  const lines: Array<FoundLine> = []
  for (let strip = 0; strip < count; strip++) {
    const own = { from: (strip * height) / count, to: ((strip + 1) * height) / count }
    const rows = { from: Math.max(0, own.from - margin), to: Math.min(height, own.to + margin) }
    const found = await findIn(network, pyramid, rows, scale)
    lines.push(...found.filter(({ box }) => box.cy >= own.from && (box.cy < own.to || strip === count - 1)))
  }
  return lines
}

/**
 * Finds the lines of text in a picture, in its pixels, each turned for reading, roughly from top to bottom. The network sees the
 * picture reduced; if much of what it finds is small print, it sees it once more, larger.
 */
export const detectLines = async (
  network: Network,
  pyramid: ReadonlyArray<GrayImage>
): Promise<ReadonlyArray<TextBox>> => {
  const [image] = pyramid
  if (image === undefined) return []
  const { height, width } = image
  const scale = Math.min(1, longestSide / Math.max(width, height))
  const lines = await findIn(network, pyramid, { from: 0, to: height }, scale)
  const isReduced = scale < 1
  const found =
    isReduced && isSmallPrint(lines)
      ? await findInStrips(network, pyramid, height, Math.min(1, larger * scale))
      : lines
  return withWholeLines(
    pyramid,
    found.map(({ box }) => box)
  )
}
