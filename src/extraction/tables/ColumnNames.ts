import type { Column } from "../lexicon/Field.ts"
import { type Lexicon, ofLexicon } from "../lexicon/Lexicon.ts"
import type { ExactNames } from "./HeadingParts.ts"

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
export interface Naming {
  readonly column: Column
  readonly quality: number
}

/** The same for one document: what was compared once is kept, but not for other documents. */
export interface ColumnNames extends PreparedColumns {
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
export const namings = ({ columns, known, labels }: ColumnNames, folded: string): ReadonlyArray<Naming> => {
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
export const isNamedByFlow = ({ column, quality }: Naming): boolean =>
  column.isOwn === true && quality >= exactNaming
