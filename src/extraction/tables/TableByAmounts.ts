import { inCents } from "../../support/Cents.ts"
import type { Box } from "../../domain/DocumentIR.ts"
import { type Candidate, rowKey } from "../layout/Candidate.ts"
import type { PageModel } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import { showsCents } from "../values/Money.ts"
import { columnOfFigures, impliedColumns, type ImpliedRow } from "./ImpliedColumns.ts"
import type { TableHeader } from "./TableHeader.ts"
import type { TableSearch } from "./TableLines.ts"

/** A row with an amount. */
interface PricedRow extends ImpliedRow {
  readonly amount: Candidate<number>
}

const right = ({ w, x }: Box): number => x + w

/** The amounts of a row, printed with cents or a currency: `$1,750`. */
const amountsIn = ({ reading }: TableSearch, page: number, row: number): ReadonlyArray<Candidate<number>> =>
  (reading.moneyByRow.get(rowKey(page, row)) ?? []).filter(
    ({ quality, text }) => quality >= 0.85 && (showsCents(text) || /\p{Sc}/u.test(text))
  )

/** The amounts of a page, each with its row. */
const pricedRows = (search: TableSearch, page: number, { rows }: PageModel): ReadonlyArray<PricedRow> =>
  [...rows.keys()].flatMap((row) => {
    const figures = amountsIn(search, page, row)
    return figures.map((amount) => ({ row, amount, figures }))
  })

const edges = [right, ({ x }: Box): number => x]

/** The amounts that end, or begin, one under the other, from the column on the left to the one on the right. */
const columnsOf = (all: ReadonlyArray<PricedRow>): Array<ReadonlyArray<PricedRow>> =>
  edges.flatMap((edge) => {
    const columns: Array<Array<PricedRow>> = []
    for (const priced of all.toSorted((a, b) => edge(a.amount.bbox) - edge(b.amount.bbox))) {
      const last = columns.at(-1)
      const [first] = last ?? []
      if (first !== undefined && edge(priced.amount.bbox) - edge(first.amount.bbox) <= sameEdge)
        last?.push(priced)
      else columns.push([priced])
    }
    return columns.map((column) => column.toSorted((a, b) => a.row - b.row))
  })

/** Edges closer than this, in points, are those of one column. */
const sameEdge = 6

const sumOf = (rows: ReadonlyArray<PricedRow>): number =>
  rows.reduce((sum, { amount }) => sum + inCents(amount.value), 0)

const printed = new WeakMap<Reading, ReadonlySet<number>>()

/** The amounts of a document in cents: a page may have thousands of rows, and a document hundreds of pages. */
const printedIn = (reading: Reading): ReadonlySet<number> => {
  const known = printed.get(reading) ?? new Set(reading.money.map(({ value }) => inCents(value)))
  printed.set(reading, known)
  return known
}

/** The most rows of a column, from its first on, whose amounts add up to one that is printed. */
const addingUp = (reading: Reading, column: ReadonlyArray<PricedRow>): ReadonlyArray<PricedRow> => {
  const amounts = printedIn(reading)
  let sum = sumOf(column)
  for (let count = column.length; count > 1; count--) {
    if (sum > 0 && amounts.has(sum)) return column.slice(0, count)
    sum -= inCents(column[count - 1]?.amount.value ?? 0)
  }
  return []
}

/**
 * The columns of a table that has no headings, or none that are known, and no quantities: by the rows on a page whose
 * amounts, one under the other behind what they are for, add up to an amount that is printed elsewhere. Of several such
 * columns (net, tax, gross) the first that is not tax. Undefined where nothing adds up.
 */
export const tableByAmounts = (search: TableSearch, page: number): TableHeader | undefined => {
  const model = search.reading.pages[page]
  const { columns: known } = search.field
  if (model === undefined || !known.some(({ name }) => name === "amount")) return undefined
  const columns = columnsOf(pricedRows(search, page, model)).map((column) => addingUp(search.reading, column))
  const most = Math.max(0, ...columns.map(sumOf))
  const rows = columns.find((column) => column.length > 1 && sumOf(column) > most / 2)
  const [first] = rows ?? []
  if (rows === undefined || first === undefined) return undefined
  const amounts = rows.map(({ amount }) => amount)
  const headings = impliedColumns(model, known, rows, [columnOfFigures(known, "amount", amounts)])
  if (headings.length < 2) return undefined
  const last = rows.at(-1)?.row ?? first.row
  const after = model.rows.findIndex((_, row) => row > last && amountsIn(search, page, row).length > 0)
  const until = after < 0 ? model.rows.length : after
  return { firstRow: first.row - 1, lastRow: first.row - 1, headings, worth: 1, until }
}
