/** A line of a table's body: one with the figures of an item, one with more of its text, or one that is neither. */
export interface BodyLine {
  readonly page: number
  readonly kind: "item" | "text" | "break"
  /** The y of its middle, and the height of its letters' boxes, in points. */
  readonly middle: number
  readonly height: number
}

/** Which item each line of text belongs to, by their indices among the lines, and whether that was a guess. */
export interface Attached {
  readonly itemOf: ReadonlyMap<number, number>
  readonly guessed: ReadonlySet<number>
}

/** A shift of this much, of a line's height, is no gap of its own: fonts of two sizes share a baseline, not a middle. */
const slack = 0.08

const distance = (above: BodyLine, line: BodyLine): number =>
  (line.middle - above.middle) / ((above.height + line.height) / 2)

/**
 * The empty space above each line, in points: none where two lines are as close as any two are. Boxes of letters are
 * higher than their lines in many fonts, and lines are usually set up to 1.35 times their height apart, so boxes alone do not tell.
 */
const gapsOf = (lines: ReadonlyArray<BodyLine>): ReadonlyArray<number> => {
  const before = (i: number): BodyLine | undefined =>
    lines[i - 1]?.page === lines[i]?.page ? lines[i - 1] : undefined
  const distances = lines.flatMap((line, i) => {
    const above = before(i)
    return above === undefined ? [] : [distance(above, line)]
  })
  const closest = Math.min(1.35, Math.max(0.6, Math.min(...distances)))
  return lines.map((line, i) => {
    const above = before(i)
    if (above === undefined) return Infinity
    return line.middle - above.middle - (closest * (above.height + line.height)) / 2
  })
}

/** The widest gap between each item and the next, where both are on one page. */
const gapsBetweenItems = (lines: ReadonlyArray<BodyLine>, gapAbove: ReadonlyArray<number>): Array<number> => {
  const gaps: Array<number> = []
  let most: number | undefined
  for (const [i, { kind }] of lines.entries()) {
    if (most !== undefined) most = Math.max(most, gapAbove[i] ?? Infinity)
    if (kind !== "item") continue
    if (most !== undefined && most < Infinity) gaps.push(most)
    most = -Infinity
  }
  return gaps
}

/** Lines that follow each other with less than `limit` between them; none of them a break. */
const runsOf = (
  lines: ReadonlyArray<BodyLine>,
  gapAbove: ReadonlyArray<number>,
  limit: number
): Array<ReadonlyArray<number>> => {
  const runs: Array<Array<number>> = []
  for (const [i, { kind }] of lines.entries()) {
    if (kind === "break") {
      runs.push([])
      continue
    }
    const last = runs.at(-1)
    if (last === undefined || last.length === 0 || (gapAbove[i] ?? Infinity) >= limit) runs.push([i])
    else last.push(i)
  }
  return runs.filter((run) => run.length > 0)
}

/**
 * Assigns each line of text to an item by the gaps between lines: those of one item are closer together than two items
 * are, whether its figures are at the top, in the middle or at the bottom of its text. Where all lines are equally far
 * apart, text goes to the item above it, which is a guess. `lineHeight` in points.
 */
export const attachLines = (lines: ReadonlyArray<BodyLine>, lineHeight: number): Attached => {
  const itemOf = new Map<number, number>()
  const guessed = new Set<number>()
  const gaps = gapsOf(lines)
  const between = gapsBetweenItems(lines, gaps)
  const least = between.length === 0 ? 0.4 * lineHeight : Math.min(...between)
  const limit = Math.min(least - slack * lineHeight, 0.6 * lineHeight)
  for (const run of runsOf(lines, gaps, limit)) {
    const item = run.find((i) => lines[i]?.kind === "item")
    if (item !== undefined) for (const i of run) if (i !== item) itemOf.set(i, item)
  }
  // Text that no gap ties to an item: lines may be all equally far apart.
  for (const [i, { kind }] of lines.entries()) {
    if (kind === "item" || kind === "break" || itemOf.has(i)) continue
    guessed.add(i)
    const gap = gaps[i] ?? Infinity
    const above = lines[i - 1]?.kind === "item" ? i - 1 : itemOf.get(i - 1)
    if (above === undefined) continue
    if (gap <= 0.4 * lineHeight) itemOf.set(i, above)
  }
  return { itemOf, guessed }
}
