import { Effect } from "effect"
import { defined } from "../../support/Defined.ts"
import type { Box } from "../../domain/DocumentIR.ts"
import type { Column } from "../lexicon/Field.ts"
import { around, type PageModel, type Token } from "../layout/PageModel.ts"
import { showsCents } from "../values/Money.ts"
import { type ColumnNames, isNamedByFlow, type Naming, namings } from "./ColumnNames.ts"
import { type HeadingCell, headingCells } from "./HeadingParts.ts"

/** A heading of a table: the column it names, or none where the table has more columns than were asked for. */
export interface Heading {
  readonly column?: Column
  /** The column of the flow's own that it names as well, but that another heading has. */
  readonly rival?: Column
  readonly bbox: Box
  readonly quality: number
}

/** A table's headings, from left to right, and the rows they are in. */
export interface TableHeader {
  readonly firstRow: number
  readonly lastRow: number
  readonly headings: ReadonlyArray<Heading>
  /** How well the headings name the columns: about one for each. */
  readonly worth: number
  /** The row that the table ends before, where it is known. */
  readonly until?: number
}

/** It names a column, but says nothing for its row being the headings. */
const guessed = 0.01

/**
 * The column of descriptions where no heading names it: the widest before the first column of figures, whatever its heading says
 * (`Stay`, `Course`, `Route`). If figures are in the first column, it is the widest with an unknown heading.
 */
const widestBefore = (
  cells: ReadonlyArray<HeadingCell>,
  named: ReadonlyMap<HeadingCell, unknown>
): HeadingCell | undefined => {
  if (named.size < 2) return undefined
  const first = cells.findIndex((cell) => named.has(cell))
  const widthOf = (at: number): number => (cells[at + 1]?.bbox.x ?? 0) - (cells[at]?.bbox.x ?? 0)
  const [widest] = [...cells.entries()]
    .filter(([at, cell]) => (first === 0 ? !named.has(cell) : at < first))
    .toSorted(([a], [b]) => widthOf(b) - widthOf(a))
  return widest?.[1]
}

const headingsOf = (cells: ReadonlyArray<HeadingCell>, names: ColumnNames): Array<Heading> => {
  const pairs = cells
    .flatMap((cell) => namings(names, cell.folded).map(({ column, quality }) => ({ cell, column, quality })))
    // Equal names (`Total` next to `Total`): amounts are on the right.
    .toSorted((a, b) => b.quality - a.quality || b.cell.bbox.x - a.cell.bbox.x)
  const named = new Map<HeadingCell, Naming>()
  const used = new Set<Column>()
  for (const { cell, column, quality } of pairs) {
    if (named.has(cell) || used.has(column)) continue
    named.set(cell, { column, quality })
    used.add(column)
  }
  const description = names.columns.find(({ name }) => name === "description")
  const widest = widestBefore(cells, named)
  if (description !== undefined && widest !== undefined && !used.has(description))
    named.set(widest, { column: description, quality: guessed })
  const rivalOf = (cell: HeadingCell): Column | undefined =>
    named.has(cell) ? undefined : namings(names, cell.folded).find(isNamedByFlow)?.column
  return cells.map((cell) => ({
    bbox: cell.bbox,
    quality: 0,
    ...defined({ rival: rivalOf(cell) }),
    ...named.get(cell)
  }))
}

const worth = (headings: ReadonlyArray<Heading>): number =>
  headings.reduce((sum, heading) => sum + heading.quality, 0)

/** Amounts are in the rows under headings. */
const hasAmount = (row: ReadonlyArray<Token> | undefined): boolean =>
  row?.some(({ text }) => showsCents(text)) ?? false

/** Rows that are so close together that they can be one heading over several lines. */
const closeRows = (model: PageModel, first: number, last: number): boolean => {
  for (let i = first; i < last; i++) {
    const [upper, lower] = [around(model.rows[i] ?? []), around(model.rows[i + 1] ?? [])]
    if (lower.y - (upper.y + upper.h) > 0.7 * model.lineHeight) return false
  }
  return true
}

/** The rows around an anchor that may be one heading together, the anchor alone first. */
function* windows(model: PageModel, anchor: number): Generator<readonly [number, number]> {
  for (let above = 0; above <= 3 && anchor - above >= 0; above++) {
    if (hasAmount(model.rows[anchor - above])) return
    if (!closeRows(model, anchor - above, anchor)) return
    for (let below = 0; below <= 2 && anchor + below < model.rows.length; below++) {
      if (!closeRows(model, anchor, anchor + below) || hasAmount(model.rows[anchor + below])) break
      yield [anchor - above, anchor + below]
    }
  }
}

const namedIn = (headings: ReadonlyArray<Heading>): number =>
  headings.filter((heading) => heading.column !== undefined).length

const rowsAtOnce = 16

/**
 * The row that names the columns best, with the rows around it that belong to the same headings; undefined where fewer
 * than two columns are named. Yields between rows: a page of nothing but headings takes long.
 */
export const tableHeader = Effect.fnUntraced(function* (
  model: PageModel,
  names: ColumnNames
): Effect.fn.Return<TableHeader | undefined> {
  const cells = headingCells(model, names.exact)
  let found: TableHeader | undefined
  let most = 0
  for (const anchor of model.rows.keys()) {
    if (anchor % rowsAtOnce === rowsAtOnce - 1) yield* Effect.yieldNow
    // A row with amounts is in no window, and most rows have some.
    if (hasAmount(model.rows[anchor])) continue
    if (namedIn(headingsOf(cells(anchor, anchor), names)) === 0) continue
    for (const [firstRow, lastRow] of windows(model, anchor)) {
      const headings = headingsOf(cells(firstRow, lastRow), names)
      // Prefer few rows: what is under the headings may look like one.
      const value = worth(headings) - 0.12 * (lastRow - firstRow)
      if (namedIn(headings) < 2 || value <= most) continue
      most = value
      found = { firstRow, lastRow, headings, worth: value }
    }
  }
  return found
})
