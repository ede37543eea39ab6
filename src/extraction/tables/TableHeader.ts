import { Effect } from "effect"
import { defined } from "../../support/Defined.ts"
import type { Box } from "../../domain/DocumentIR.ts"
import type { Column } from "../lexicon/Field.ts"
import { around, type PageModel, type Token } from "../layout/PageModel.ts"
import { showsCents } from "../values/Money.ts"
import { type HeadingCell, headingCells, type ExactNames } from "./HeadingParts.ts"
import { type Lexicon, ofLexicon } from "../lexicon/Lexicon.ts"

/** A way to write a column's name, and how surely it means the column. */
interface ColumnLabel {
  /** The column's place among the columns. */
  readonly column: number
  readonly folded: string
  readonly sureness: number
}

/** The labels of columns by their folded text. */
type LabelMap = ReadonlyMap<string, ReadonlyArray<ColumnLabel>>

/** The fewest letters of a label that a longer heading begins with, and how well it fits then. */
const [shortestBeginning, beginning] = [3, 0.75]

/** How well a heading names each column, 0–1: exactly, with more behind the name, or not at all. */
const qualitiesOf = (labels: LabelMap, folded: string): ReadonlyMap<number, number> => {
  const found = new Map<number, number>()
  for (let end = 1; end <= folded.length; end++) {
    const fit = end === folded.length ? 1 : end >= shortestBeginning ? beginning : 0
    for (const { column, sureness } of labels.get(folded.slice(0, end)) ?? [])
      found.set(column, Math.max(found.get(column) ?? 0, fit * sureness))
  }
  return found
}

/** The labels of a column; the first are the surest. */
const labelsOf = ({ labels }: Column, column: number, { foldLabel }: Lexicon): Array<ColumnLabel> =>
  labels
    .map((label, rank) => ({
      column,
      folded: foldLabel(label) || label.trim(),
      sureness: 1 - 0.1 * (rank / labels.length)
    }))
    .filter(({ folded }) => folded !== "")

/** The length up to which the folded text of a cell may be a heading. */
const longestHeading = 40

/** The columns of a table as headings are compared with them. */
interface PreparedColumns {
  readonly columns: ReadonlyArray<Column>
  readonly labels: LabelMap
  readonly exact: ExactNames
}

/** A column that a heading may name, and how well. */
interface Naming {
  readonly column: Column
  readonly quality: number
}

/** The same for one document: what was compared once is kept, but not for other documents. */
interface ColumnNames extends PreparedColumns {
  readonly known: Map<string, ReadonlyArray<Naming>>
}

/** The columns of figures that most tables have, whether a flow asks for them or not. */
const usualFigures = ["quantity", "unitPrice", "amount"] as const

const exactNames = (columns: ReadonlyArray<Column>, lexicon: Lexicon): ExactNames => {
  const names = new Map<string, Set<string>>()
  for (const { labels, name } of columns)
    for (const folded of labels.map((label) => lexicon.foldLabel(label) || label.trim()))
      names.set(folded, (names.get(folded) ?? new Set()).add(name))
  const asked = new Set(names.keys())
  for (const usual of usualFigures)
    for (const folded of lexicon.field(`invoice.lineItems.${usual}`).labels.map(lexicon.foldLabel))
      if (!asked.has(folded)) names.set(folded, (names.get(folded) ?? new Set()).add(`usual ${usual}`))
  return names
}

const preparedOf = ofLexicon(() => new WeakMap<ReadonlyArray<Column>, PreparedColumns>())

const prepare = (columns: ReadonlyArray<Column>, lexicon: Lexicon): PreparedColumns => {
  const labels = columns.flatMap((column, at) => labelsOf(column, at, lexicon))
  return { columns, labels: Map.groupBy(labels, ({ folded }) => folded), exact: exactNames(columns, lexicon) }
}

/** Prepares columns for `tableHeader`; the same columns are prepared once. */
export const columnNames = (columns: ReadonlyArray<Column>, lexicon: Lexicon): ColumnNames => {
  const kept = preparedOf(lexicon)
  const prepared = kept.get(columns) ?? prepare(columns, lexicon)
  kept.set(columns, prepared)
  return { ...prepared, known: new Map() }
}

const leastNaming = 0.4

/** The columns that a heading may name, by its folded text. */
const namings = ({ columns, known, labels }: ColumnNames, folded: string): ReadonlyArray<Naming> => {
  const before = known.get(folded)
  if (before !== undefined) return before
  const qualities = folded.length > longestHeading ? new Map<number, number>() : qualitiesOf(labels, folded)
  const found = columns.flatMap((column, at) => {
    const quality = qualities.get(at) ?? 0
    return quality >= leastNaming ? [{ column, quality }] : []
  })
  known.set(folded, found)
  return found
}

/** A heading that is one of the column's labels, not only like it. */
const exactNaming = 0.9

/** Whether a heading is a label that the flow itself gives to a column. */
const isNamedByFlow = ({ column, quality }: Naming): boolean =>
  column.isOwn === true && quality >= exactNaming

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
