import type { GrayImage } from "./GrayImage.ts"
import { isInk, levelsOf } from "./Ink.ts"

/** A character of a line and the column of its middle in the picture of the line. */
export interface Placed {
  readonly text: string
  readonly at: number
}

/** From and up to which column a letter goes, and from which row to which. */
interface Extent {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

const isEither = (text: string | undefined): boolean => text === "x" || text === "×"
const isDigit = (text: string | undefined): boolean => text !== undefined && /^\d$/u.test(text)

/** How far from where a letter should be its ink may begin, in pixels of 48 rows. */
const slack = 3 / 48
/** No letter is wider, in heights of the line. */
const widestLetter = 1

/** The columns of a line that have ink, and where the ink of a column begins and ends. */
const columnsOf = ({ height, pixels, width }: GrayImage) => {
  const levels = levelsOf({ pixels })
  const tops = new Int32Array(width).fill(-1)
  const bottoms = new Int32Array(width).fill(-1)
  if (levels === undefined) return { tops, bottoms }
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      if (!isInk(pixels[row * width + column] ?? 255, levels)) continue
      if (tops[column] === -1) tops[column] = row
      bottoms[column] = row
    }
  return { tops, bottoms }
}

/** The letter at a column: the ink around it, up to paper on both sides. */
const letterAt = (
  { bottoms, tops }: ReturnType<typeof columnsOf>,
  at: number,
  height: number
): Extent | undefined => {
  const has = (column: number): boolean => (tops[column] ?? -1) >= 0
  const near = Math.ceil(slack * height)
  const start = Array.from({ length: 2 * near + 1 }, (_, i) => (i % 2 === 0 ? i / 2 : -(i + 1) / 2))
    .map((by) => Math.round(at) + by)
    .find(has)
  if (start === undefined) return undefined
  let [left, right] = [start, start]
  while (has(left - 1) && right - left <= widestLetter * height) left--
  while (has(right + 1) && right - left <= widestLetter * height) right++
  if (right - left > widestLetter * height) return undefined
  return {
    left,
    right,
    top: Math.min(...tops.subarray(left, right + 1)),
    bottom: Math.max(...bottoms.subarray(left, right + 1))
  }
}

/** How far above the foot of the figures the sign ends, in their heights: 0.17 to 0.22 in most type; an x at 0.02 at most. */
const leastRise = 0.11
const mostOfLetter = 0.06

const signBetween = (before: Extent, sign: Extent, after: Extent): string | undefined => {
  // Figures that touch the sign say nothing.
  if (sign.left <= before.right || sign.right >= after.left) return undefined
  const foot = (before.bottom + after.bottom) / 2
  const figures = foot - Math.min(before.top, after.top)
  const rise = (foot - sign.bottom) / figures
  if (sign.top < Math.min(before.top, after.top)) return undefined
  if (rise >= leastRise) return "×"
  return rise <= mostOfLetter ? "x" : undefined
}

/**
 * The signs of a line with `x` and `×` between figures as they are printed: engines take one for the other, but the foot of an x is on
 * the line, and the sign of multiplication above it. What the ink does not show stays as it was read.
 */
export const withTimesSigns = (line: GrayImage, characters: ReadonlyArray<Placed>): ReadonlyArray<string> => {
  const texts = characters.map(({ text }) => text)
  const letters = characters.flatMap(({ text }, i) => (text === " " ? [] : [i]))
  const found = letters.flatMap((i, at) => {
    const [before, after] = [letters[at - 1], letters[at + 1]]
    if (!isEither(texts[i]) || before === undefined || after === undefined) return []
    return isDigit(texts[before]) && isDigit(texts[after]) ? [[before, i, after] as const] : []
  })
  if (found.length === 0) return texts
  const columns = columnsOf(line)
  for (const places of found) {
    const [before, sign, after] = places.map((i) => letterAt(columns, characters[i]?.at ?? 0, line.height))
    if (before === undefined || sign === undefined || after === undefined) continue
    const [, i] = places
    texts[i] = signBetween(before, sign, after) ?? texts[i] ?? ""
  }
  return texts
}
