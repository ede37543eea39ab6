import { type Character, decodeLine } from "./DecodeLine.ts"
import type { GrayImage } from "./GrayImage.ts"
import { lineOf } from "./LineStrip.ts"
import type { Networks } from "./Networks.ts"
import type { TextBox } from "./TextBox.ts"
import { withTimesSigns } from "./TimesSign.ts"

/** A line as read. Positions of its characters are in steps; the box is `steps` long. */
export interface ReadLine {
  readonly box: TextBox
  readonly steps: number
  readonly characters: ReadonlyArray<Character>
}

/** The input height of the network, and the width of its steps, in pixels. */
const height = 48
const step = 8
/** The minimum width: PaddleOCR pads to 320, which takes a third longer without better results; 96 loses words. */
const narrowest = 160
const widest = 3200

/** Reads one line, stretched by a factor. Batches take more memory and no less time. */
const readAt = async (
  { dictionary, recognition }: Networks,
  pyramid: ReadonlyArray<GrayImage>,
  box: TextBox,
  stretch: number
): Promise<ReadLine> => {
  const own = Math.min(widest, Math.max(step, Math.ceil((stretch * height * box.w) / box.h)))
  const width = Math.ceil(Math.max(narrowest, own) / step) * step
  const size = height * width
  // Zeros, which are mid gray, pad the line to the width.
  const values = new Float32Array(3 * size)
  const line = lineOf(pyramid, box, own, height)
  for (let row = 0; row < height; row++)
    for (let column = 0; column < own; column++)
      values[row * width + column] = (line[row * own + column] ?? 0) / 127.5 - 1
  values.copyWithin(size, 0, size)
  values.copyWithin(2 * size, 0, size)
  const output = await recognition.run(values, [1, 3, height, width])
  const [, steps = 0, classes = 0] = output.shape
  const characters = decodeLine({ values: output.values, steps, classes }, dictionary)
  const signs = withTimesSigns(
    { width: own, height, pixels: line },
    characters.map(({ from, text, to }) => ({ text, at: ((from + to + 1) / 2) * (width / steps) }))
  )
  return {
    box,
    steps: (own * steps) / width,
    characters: characters.map((character, i) => Object.assign({}, character, { text: signs[i] }))
  }
}

/** A line with more characters for each step is set narrowly: the network joins or drops those that fall into one step. */
const narrow = 0.3
/** It is stretched if its characters are less likely than this on average, and the more likely reading counts. */
const unlikely = 0.75
const stretched = 1.4

const likelihoodOf = ({ characters }: ReadLine): number =>
  characters.reduce((sum, { probability }) => sum + probability, 0) / Math.max(1, characters.length)

const readLine = async (
  networks: Networks,
  pyramid: ReadonlyArray<GrayImage>,
  box: TextBox
): Promise<ReadLine> => {
  const read = await readAt(networks, pyramid, box, 1)
  if (read.characters.length < narrow * read.steps || likelihoodOf(read) >= unlikely) return read
  const again = await readAt(networks, pyramid, box, stretched)
  return likelihoodOf(again) > likelihoodOf(read) ? again : read
}

/** Reads the lines in these boxes, turned for reading (see `asRead`). */
export const readLines = async (
  networks: Networks,
  pyramid: ReadonlyArray<GrayImage>,
  boxes: ReadonlyArray<TextBox>
): Promise<Array<ReadLine>> => {
  const lines: Array<ReadLine> = []
  for (const box of boxes) lines.push(await readLine(networks, pyramid, box))
  return lines
}
