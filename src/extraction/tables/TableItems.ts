import { hundredths } from "../../support/Cents.ts"
import type { Box } from "../../domain/DocumentIR.ts"
import { rowKey } from "../layout/Candidate.ts"
import type { Field } from "../lexicon/Field.ts"
import { around, type Token } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import { type Cells, type OtherFigure, type TableRow, textOf } from "./TableRow.ts"
import type { ReadLines } from "./ReadLines.ts"
import type { TableLine, BodyLine } from "./TableLines.ts"

/** Which item each line of text belongs to, by their indices among the lines, and whether that was a guess. */
interface Attached {
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
const attachLines = (lines: ReadonlyArray<BodyLine>, lineHeight: number): Attached => {
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

/** An item of a table: its values, and where they are. */
export interface TableItem {
  readonly page: number
  readonly bbox: Box
  readonly values: TableRow
  readonly cells: Cells
  /** Figures under headings that were not requested. */
  readonly others: ReadonlyArray<OtherFigure>
  /** A word of it lies across two columns. */
  readonly across: boolean
}

/** The items of a table, as one way to read its lines has them. */
export interface TableItems {
  readonly items: ReadonlyArray<TableItem>
  /** Text that may belong to another item, or to none. */
  readonly guessed: boolean
  /** The sum of the amounts, and whether it is printed outside of the items. */
  readonly sum: number | undefined
  readonly printed: boolean
}

const sumOf = (items: ReadonlyArray<TableItem>): number | undefined => {
  const amounts = items.map(({ values }) => values["amount"])
  return amounts.every((amount) => typeof amount === "number")
    ? hundredths(amounts.reduce((sum, amount) => sum + amount, 0))
    : undefined
}

const isPrinted = (reading: Reading, sum: number, lines: ReadonlyArray<TableLine>): boolean => {
  const own = new Set(lines.filter(({ kind }) => kind === "item").map(({ page, row }) => rowKey(page, row)))
  return reading.money.some(
    ({ span, value }) =>
      Math.abs(Math.abs(value) - Math.abs(sum)) < 0.006 && !own.has(rowKey(span.page, span.row))
  )
}

const joined = (field: Field, lines: ReadonlyArray<TableLine>, item: TableLine): TableItem => {
  const cells = new Map<string, ReadonlyArray<Token>>(item.cells)
  const values: TableRow = { ...item.values }
  for (const { name, type } of field.columns) {
    if (type !== "string" && type !== "identifier") continue
    const tokens = lines.flatMap((line) => line.cells.get(name) ?? [])
    if (tokens.length === 0) continue
    cells.set(name, tokens)
    values[name] = textOf(tokens)
  }
  const here = lines.filter(({ page }) => page === item.page)
  const { across, others, page } = item
  const bbox = around(here.map((line) => line.bbox))
  return { page, bbox, values, cells, others, across }
}

const assemble = (reading: Reading, field: Field, lines: ReadonlyArray<TableLine>): TableItems => {
  const lineHeight = Math.max(
    1,
    ...lines.slice(0, 1).map(({ page }) => reading.pages[page]?.lineHeight ?? 10)
  )
  const { guessed, itemOf } = attachLines(lines, lineHeight)
  const parts = new Map<number, Array<TableLine>>()
  for (const [i, line] of lines.entries()) {
    const item = line.kind === "item" ? i : itemOf.get(i)
    if (item !== undefined) parts.set(item, [...(parts.get(item) ?? []), line])
  }
  const items = [...parts]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([i, own]) => {
      const item = lines[i]
      return item === undefined ? [] : [joined(field, own, item)]
    })
  const last = lines.findLastIndex(({ kind }) => kind === "item")
  const sum = items.length === 0 ? undefined : sumOf(items)
  return {
    items,
    // Lines after the last item, at a distance, are below the table.
    guessed: [...guessed].some((i) => i < last || itemOf.has(i)),
    sum,
    printed: sum !== undefined && sum !== 0 && isPrinted(reading, sum, lines)
  }
}

/** Lines with nothing but an amount next to their text are items too: discounts, freight. One of 0.00 adds nothing. */
const withAmountsAlone = (lines: ReadonlyArray<TableLine>): ReadonlyArray<TableLine> =>
  lines.map((line) =>
    line.kind === "break" &&
    line.filled === 1 &&
    typeof line.values["amount"] === "number" &&
    line.values["amount"] !== 0
      ? { ...line, kind: "item" }
      : line
  )

/**
 * The items of a table. Where its end or what belongs to it is open (sums of groups, discounts, freight), the reading
 * counts whose amounts add up to something that is printed; of several the one with the most items.
 */
export const tableItems = (reading: Reading, field: Field, { ends, lines }: ReadLines): TableItems => {
  const upToSum = lines.slice(0, ends[0] ?? lines.length)
  const plain = assemble(reading, field, upToSum)
  const whole = ends.length === 0 ? undefined : assemble(reading, field, lines)
  const alone = [upToSum, ...(whole === undefined ? [] : [lines])].map(withAmountsAlone)
  const more = plain.printed ? [] : alone.map((some) => assemble(reading, field, some))
  // What is below the sum and adds nothing, such as a rounding of 0.00, is no item.
  const adds = whole !== undefined && !(plain.printed && whole.sum === plain.sum)
  const [most] = [plain, ...more.slice(0, 1), ...(adds ? [whole] : []), ...more.slice(1)]
    .filter(({ printed }) => printed)
    .toSorted((a, b) => b.items.length - a.items.length)
  return most ?? plain
}
