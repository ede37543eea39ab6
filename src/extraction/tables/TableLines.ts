import { defined } from "../../support/Defined.ts"
import type { Box } from "../../domain/DocumentIR.ts"
import { rowKey } from "../layout/Candidate.ts"
import type { Column, Field } from "../lexicon/Field.ts"
import { around, type Token } from "../layout/PageModel.ts"
import { showsCents } from "../values/Money.ts"
import type { Reading } from "../layout/Reading.ts"
import type { SumLabels } from "./ReadLines.ts"
import type { Heading, TableHeader } from "./TableHeader.ts"
import {
  type Cells,
  figuresIn,
  type OtherFigure,
  rowValues,
  type TableRow,
  withBestFigures
} from "./TableRow.ts"

/** A line of a table's body: one with the figures of an item, one with more of its text, or one that is neither. */
export interface BodyLine {
  readonly page: number
  readonly kind: "item" | "text" | "break"
  /** The y of its middle, and the height of its letters' boxes, in points. */
  readonly middle: number
  readonly height: number
}

/** A row of a page as a line of a table. */
export interface TableLine extends BodyLine {
  readonly row: number
  readonly bbox: Box
  readonly cells: Cells
  readonly values: TableRow
  /** Figures under headings that were not requested. */
  readonly others: ReadonlyArray<OtherFigure>
  /** How many columns of figures have one. */
  readonly filled: number
  /** A word lies across two columns. */
  readonly across: boolean
}

/** The columns under the headings of one page. */
export interface TableColumns {
  readonly page: number
  readonly header: TableHeader
  readonly edges: ReadonlyArray<ColumnEdge>
  /** The columns of figures that have a heading. */
  readonly figures: ReadonlyArray<Column>
  readonly texts: ReadonlyArray<Column>
  /** How many rows show where its columns are. */
  readonly rows: number
  /** The name of the column whose sum is printed below: the one of the amounts, or the last one of money. */
  readonly summed?: string
}

const figureTypes: ReadonlySet<string> = new Set(["number", "integer", "money"])

/** The input of the search for a table; `sumLabels` mark the sums below it. */
export interface TableSearch {
  readonly reading: Reading
  readonly field: Field
  readonly sumLabels: SumLabels
}

/** The x at which two columns of a table meet. */
export interface ColumnEdge {
  readonly at: number
  /** No empty stretch runs down between the two columns: words may be in the wrong one. */
  readonly doubtful: boolean
}

type Rows = ReadonlyArray<ReadonlyArray<Token>>

interface Stretch {
  readonly from: number
  readonly to: number
}

/** The widest stretch between two x's that is empty in all rows. */
const widestGap = (rows: Rows, from: number, to: number): Stretch => {
  const words = rows.flat().filter(({ w, x }) => x < to && x + w > from)
  let widest = { from, to: from }
  let end = from
  for (const { w, x } of [...words.toSorted((a, b) => a.x - b.x), { x: to, w: 0 }]) {
    if (x - end > widest.to - widest.from) widest = { from: end, to: x }
    end = Math.max(end, x + w)
  }
  return widest
}

/** The types of columns that hold text. */
export const textTypes: ReadonlySet<string> = new Set(["string", "identifier"])

/** Whether a column holds text, which grows to the right. */
const isText = ({ column }: Heading): boolean => column !== undefined && textTypes.has(column.type)

const edgeBetween = (left: Heading, right: Heading, rows: Rows, lines: Rows, height: number): ColumnEdge => {
  const [from, to] = [left.bbox.x + left.bbox.w, right.bbox.x]
  if (to - from < 0.5) return { at: (from + to) / 2, doubtful: true }
  const all = widestGap([...rows, ...lines], from, to)
  const gap = all.to > all.from ? all : widestGap(rows, from, to)
  const width = gap.to - gap.from
  if (width === 0) return { at: (from + to) / 2, doubtful: true }
  // Text may be longer in rows that are not known yet, and figures wider: the edge is close to what does not grow.
  const at = isText(left) ? gap.to - 0.25 : isText(right) ? gap.from + 0.25 : (gap.from + gap.to) / 2
  return { at, doubtful: width < Math.min(0.15 * height, 0.5 * (to - from)) }
}

/**
 * Where the columns under some headings meet: for each two neighbours the widest empty stretch that runs down through
 * `rows`, and if possible through the `lines` between them, between the end of the left heading and the beginning of the
 * right one. One edge fewer than headings.
 */
export const columnEdges = (
  headings: ReadonlyArray<Heading>,
  rows: Rows,
  lines: Rows,
  height: number
): ReadonlyArray<ColumnEdge> =>
  headings.slice(1).flatMap((right, i) => {
    const left = headings[i]
    return left === undefined ? [] : [edgeBetween(left, right, rows, lines, height)]
  })

/** The index of the column that a word is in: the one that holds its middle. */
export const columnAt = (edges: ReadonlyArray<ColumnEdge>, { w, x }: Token): number => {
  const index = edges.findIndex(({ at }) => x + w / 2 < at)
  return index < 0 ? edges.length : index
}

/**
 * The rows from `first` on that look like items, with as many figures as the headings lead one to expect, and `lines` without
 * any amount between them.
 */
const itemRows = (search: TableSearch, page: number, first: number, figures: number) => {
  const { moneyByRow, pages } = search.reading
  const rows = pages[page]?.rows ?? []
  const found: Array<ReadonlyArray<Token>> = []
  const lines: Array<ReadonlyArray<Token>> = []
  const since: Array<ReadonlyArray<Token>> = []
  for (let row = first; row < rows.length; row++) {
    const money = moneyByRow.get(rowKey(page, row)) ?? []
    const count = money.length
    // `45 jours fin de mois     Total HT     1 167,02`: figures without cents are no amounts.
    const amounts = money.filter(({ text }) => showsCents(text)).length
    if (found.length > 0 && Math.min(count, amounts) <= 1 && search.sumLabels(page, row).length > 0) break
    if (count >= figures) {
      found.push(rows[row] ?? [])
      lines.push(...since.splice(0))
    } else if (count === 0) since.push(rows[row] ?? [])
  }
  return { rows: found, lines }
}

const summedOf = ({ headings }: TableHeader): string | undefined => {
  const money = headings.flatMap(({ column }) => (column?.type === "money" ? [column.name] : []))
  return money.find((name) => name === "amount") ?? money.at(-1)
}

/** The columns of a table on a page, whose rows begin at `first`. */
export const tableColumns = (
  search: TableSearch,
  page: number,
  first: number,
  header: TableHeader
): TableColumns => {
  const { field, reading } = search
  const named = new Set(header.headings.map(({ column }) => column))
  const figures = field.columns.filter((column) => figureTypes.has(column.type) && named.has(column))
  const { lines, rows } = itemRows(search, page, first, Math.max(1, Math.min(2, figures.length)))
  return {
    page,
    header,
    rows: rows.length,
    edges: columnEdges(header.headings, rows, lines, reading.pages[page]?.lineHeight ?? 10),
    figures,
    texts: field.columns.filter((column) => textTypes.has(column.type)),
    ...defined({ summed: summedOf(header) })
  }
}

/** The name of the column that was asked for and in which a word lies. */
const nameAt = (token: Token, { edges, header }: TableColumns): string | undefined =>
  header.headings[columnAt(edges, token)]?.column?.name

const cellsOf = (tokens: ReadonlyArray<Token>, columns: TableColumns): Cells => {
  const byColumn = new Map<string, Array<Token>>()
  for (const token of tokens) {
    const name = nameAt(token, columns)
    if (name === undefined) continue
    const cell = byColumn.get(name)
    if (cell === undefined) byColumn.set(name, [token])
    else cell.push(token)
  }
  return byColumn
}

const kindOf = (line: Omit<TableLine, "kind">, { figures, texts }: TableColumns): BodyLine["kind"] => {
  if (line.filled >= Math.max(1, Math.min(2, figures.length))) return "item"
  if (line.across || line.filled > 0) return "break"
  return texts.every(({ name }) => (line.values[name] ?? null) === null) ? "break" : "text"
}

/** A row of a page as a line of the table that has these columns; undefined where nothing of it is in the table. */
export const tableLine = (
  { field, reading }: TableSearch,
  page: number,
  row: number,
  columns: TableColumns
): TableLine | undefined => {
  const tokens = reading.pages[page]?.rows[row] ?? []
  const first = columns.header.headings.findIndex(({ column }) => column !== undefined)
  if (tokens.every((token) => columnAt(columns.edges, token) < first)) return undefined
  const bbox = around(tokens)
  // Words in other columns than those that were asked for do not say how far lines are apart.
  const own = tokens.filter((token) => nameAt(token, columns) !== undefined)
  const unnamed = tokens.filter((token) => nameAt(token, columns) === undefined)
  const { h, y } = around(own.length === 0 ? tokens : own)
  const cells = cellsOf(tokens, columns)
  const { others, values } = withBestFigures(
    { values: rowValues(field.columns, cells, reading), others: figuresIn(unnamed, reading) },
    cells,
    reading
  )
  const line = {
    page,
    row,
    bbox,
    middle: y + h / 2,
    height: h,
    cells,
    values,
    others,
    filled: columns.figures.filter(({ name }) => values[name] !== null).length,
    across: columns.edges.some(({ at }) => tokens.some(({ w, x }) => x < at - 1 && x + w > at + 1))
  }
  return { ...line, kind: kindOf(line, columns) }
}
