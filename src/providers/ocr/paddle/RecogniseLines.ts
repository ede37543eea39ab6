import { cutLine } from "./CutLine.ts"
import { type Character, decodeLine } from "./DecodeLine.ts"
import type { GrayImage } from "./GrayImage.ts"
import type { Networks } from "./Networks.ts"
import type { TextBox } from "./TextBox.ts"

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

/** Reads one line. Batches take more memory and no less time. */
const readLine = async (
  { dictionary, recognition }: Networks,
  pyramid: ReadonlyArray<GrayImage>,
  box: TextBox
): Promise<ReadLine> => {
  const own = Math.min(widest, Math.max(step, Math.ceil((height * box.w) / box.h)))
  const width = Math.ceil(Math.max(narrowest, own) / step) * step
  const size = height * width
  // Zeros, which are mid gray, pad the line to the width.
  const values = new Float32Array(3 * size)
  cutLine(pyramid, box, { values, offset: 0, stride: width, width: own, height }, 1 / 127.5, -1)
  values.copyWithin(size, 0, size)
  values.copyWithin(2 * size, 0, size)
  const output = await recognition.run(values, [1, 3, height, width])
  const [, steps = 0, classes = 0] = output.shape
  const characters = decodeLine({ values: output.values, steps, classes }, dictionary)
  return { box, steps: (own * steps) / width, characters }
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
