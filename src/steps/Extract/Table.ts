import type { Box } from "../../domain/DocumentIR.ts"
import { parseDate } from "./Dates.ts"
import type { Column, Field } from "./Field.ts"
import { parseMoney } from "./Money.ts"
import { around, type PageModel, type Token } from "./PageModel.ts"
import type { Reading } from "./Reading.ts"
import { type Cells, cellsOfRow } from "./TableBody.ts"
import { tableHeader, type TableHeader } from "./TableHeader.ts"

/** One row of a table field; a cell that is missing or unreadable is null. */
export type TableRow = Record<string, string | number | null>

/** A table that was found: its rows, and where they stand. */
export interface FoundTable {
  readonly rows: ReadonlyArray<TableRow>
  readonly page: number
  readonly bbox: Box
  readonly quality: number
}

const textOf = (tokens: ReadonlyArray<Token> | undefined): string =>
  (tokens ?? []).map((token) => token.text).join(" ")

/** The amount in a cell that may also hold a unit or a sign: `20 Stk.`, `€ 9,90`. */
const amountIn = (text: string): number | null => {
  const whole = parseMoney(text)
  if (whole !== undefined) return whole.value
  for (const word of text.split(" ")) {
    const part = parseMoney(word)
    if (part !== undefined) return part.value
  }
  return null
}

const cellValue = (column: Column, tokens: ReadonlyArray<Token> | undefined, reading: Reading) => {
  const text = textOf(tokens)
  switch (column.type) {
    case "date":
      return parseDate(text, reading.dateOrder)?.iso ?? null
    case "number":
    case "integer":
    case "money":
      return amountIn(text)
    default:
      return text === "" ? null : text
  }
}

const figures: ReadonlySet<string> = new Set(["number", "integer", "money"])

/** Whether a row is the sum under the table: a label of some amount, and figures in no more than one column. */
const isSum = (
  reading: Reading,
  moneyFields: ReadonlySet<string>,
  page: number,
  cells: Cells,
  filled: number
) =>
  filled <= 1 &&
  reading.labels.some(
    ({ label, span, quality }) =>
      span.page === page &&
      span.row === cells.row &&
      quality >= 0.7 &&
      label.names &&
      moneyFields.has(label.field)
  )

interface Open {
  readonly values: TableRow
  readonly cells: Cells
}

interface PartOfTable {
  readonly items: ReadonlyArray<Open>
  readonly ended: boolean
}

/** Text under a row belongs to it as long as it follows closely. */
const continues = (model: PageModel, last: Cells | undefined, cells: Cells): boolean =>
  last !== undefined && cells.bbox.y - (last.bbox.y + last.bbox.h) <= 1.2 * model.lineHeight

const readRows = (
  reading: Reading,
  field: Field,
  moneyFields: ReadonlySet<string>,
  page: number,
  first: number,
  header: TableHeader
): PartOfTable => {
  const model = reading.pages[page]
  const items: Array<Open> = []
  if (model === undefined) return { items, ended: true }
  const named = field.columns.filter((column) => header.headings.some((heading) => heading.column === column))
  const numeric = named.filter((column) => figures.has(column.type))
  const texts = named.filter((column) => column.type === "string")
  let last: Cells | undefined
  for (let row = first; row < model.rows.length; row++) {
    const cells = cellsOfRow(model, row, header.headings)
    const values: TableRow = {}
    for (const column of field.columns)
      values[column.name] = cellValue(column, cells.byColumn.get(column.name), reading)
    const filled = numeric.filter((column) => values[column.name] !== null).length
    if (isSum(reading, moneyFields, page, cells, filled)) return { items, ended: true }
    if (filled >= Math.min(2, numeric.length)) {
      items.push({ values, cells })
      last = cells
      continue
    }
    const open = items.at(-1)
    if (open === undefined || !continues(model, last, cells)) continue
    last = cells
    for (const column of texts) {
      const more = values[column.name]
      const before = open.values[column.name]
      if (typeof more === "string")
        open.values[column.name] = before === null ? more : `${String(before)} ${more}`
    }
  }
  return { items, ended: false }
}

/** How many rows agree with themselves: quantity times price is the amount. */
const agreement = (rows: ReadonlyArray<TableRow>): number => {
  const checked = rows.filter(
    (row) =>
      typeof row["quantity"] === "number" &&
      typeof row["unitPrice"] === "number" &&
      typeof row["amount"] === "number"
  )
  if (checked.length === 0) return 0
  const right = checked.filter(
    ({ quantity, unitPrice, amount }) =>
      Math.abs(Number(quantity) * Number(unitPrice) - Number(amount)) <=
      0.02 + 0.002 * Math.abs(Number(amount))
  )
  return right.length / rows.length
}

/** Finds the rows of a table by its headings, on as many pages as it runs over. */
export const findTable = (
  reading: Reading,
  field: Field,
  moneyFields: ReadonlySet<string>
): FoundTable | undefined => {
  let header: TableHeader | undefined
  const found: Array<{ page: number; item: Open }> = []
  for (const [page, model] of reading.pages.entries()) {
    const own = tableHeader(model, field.columns)
    header = own ?? header
    if (header === undefined) continue
    const part = readRows(reading, field, moneyFields, page, own === undefined ? 0 : own.lastRow + 1, header)
    found.push(...part.items.map((item) => ({ page, item })))
    if (part.ended && found.length > 0) break
  }
  const [first] = found
  if (first === undefined) return undefined
  const rows = found.map(({ item }) => item.values)
  const boxes = found.filter(({ page }) => page === first.page).map(({ item }) => item.cells.bbox)
  return { rows, page: first.page, bbox: around(boxes), quality: 0.6 + 0.35 * agreement(rows) }
}
