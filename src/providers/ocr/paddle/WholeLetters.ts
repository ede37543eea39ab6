import type { GrayImage } from "./GrayImage.ts"
import { inkOf, levelsOf, longestRun, moved, partOf, stepFor } from "./Ink.ts"
import type { TextBox } from "./TextBox.ts"

/** Rows of pixels from `from` up to `to`, which have ink. */
interface Band {
  readonly from: number
  readonly to: number
}

/** How far the letters of a line may reach beyond its box, in heights of the box: above and below. */
const reach = 0.5
/** The paper that a box keeps above and below its letters, in heights of the box, if there is so much. */
const air = 0.05
/** The share of ink in the fullest row up to which a row counts as paper. */
const paperShare = 0.01
/** A band that is lower than this share of the highest one is an accent, a point or an underline. */
const leastBand = 0.4

const bandsOf = (rows: Uint32Array): ReadonlyArray<Band> => {
  const paper = paperShare * rows.reduce((most, ink) => Math.max(most, ink), 0)
  const bands: Array<Band> = []
  let from: number | undefined
  for (let row = 0; row <= rows.length; row++) {
    const isInk = row < rows.length && (rows[row] ?? 0) > paper
    if (isInk) from ??= row
    else if (from !== undefined) {
      bands.push({ from, to: row })
      from = undefined
    }
  }
  return bands
}

/** The share of a row from which a rule goes along it. */
const ruleShare = 0.5

const rulesOf = (rules: Uint32Array, width: number): ReadonlyArray<Band> =>
  Array.from(rules).flatMap((ink, row) => (ink > ruleShare * width ? [{ from: row, to: row + 1 }] : []))

const heightOf = ({ from, to }: Band): number => to - from
const middleOf = ({ from, to }: Band): number => (from + to) / 2

/**
 * From where to where the box of a line goes: over all of its letters, and not into another line or a rule. Where letters go on to the end of
 * what is looked at, in `size` rows, another line touches this one, and the box ends where it ended.
 */
const extentOf = (line: Band, others: ReadonlyArray<Band>, box: Band, size: number): Band => {
  const margin = air * heightOf(box)
  const above = Math.max(...others.filter(({ to }) => to <= line.from).map(({ to }) => to), -Infinity)
  const below = Math.min(...others.filter(({ from }) => from >= line.to).map(({ from }) => from), Infinity)
  return {
    from: Math.max(above, line.from === 0 || line.from > box.from + 1 ? box.from : line.from - margin),
    to: Math.min(below, line.to === size || line.to < box.to - 1 ? box.to : line.to + margin)
  }
}

/**
 * The lines of a box with all of their letters from top to bottom: of small print, the network marks too few rows, which cuts
 * letters, or takes two lines for one.
 */
export const withWholeLetters = (pyramid: ReadonlyArray<GrayImage>, box: TextBox): ReadonlyArray<TextBox> => {
  const step = stepFor(box)
  const around = partOf(pyramid, { ...box, h: box.h * (1 + 2 * reach) }, step)
  const levels = levelsOf(around)
  if (levels === undefined) return [box]
  const ink = inkOf(around, levels, longestRun(box))
  const bands = bandsOf(ink.rows)
  const rules = rulesOf(ink.rules, around.width)
  const highest = bands.reduce((most, band) => Math.max(most, heightOf(band)), 0)
  const lines = bands.filter((band) => heightOf(band) >= leastBand * highest)
  const height = box.h / step
  const own = { from: reach * height, to: (1 + reach) * height }
  const inside = lines.filter((line) => middleOf(line) > own.from && middleOf(line) < own.to)
  if (inside.length === 0) return [box]
  return inside.map((line) => {
    const others = lines.filter((other) => other !== line).concat(rules)
    const extent = extentOf(line, others, own, around.height)
    return moved({ ...box, h: heightOf(extent) * step }, 0, (middleOf(extent) - around.height / 2) * step)
  })
}
