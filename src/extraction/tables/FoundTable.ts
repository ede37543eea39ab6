import type { Box } from "../../domain/DocumentIR.ts"
import { Effect } from "effect"
import { type Candidate, rowKey } from "../layout/Candidate.ts"
import type { Column, Field } from "../lexicon/Field.ts"
import { around } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import { columnNames, tableHeader, type TableHeader } from "./TableHeader.ts"
import { tableByAmounts } from "./TableByAmounts.ts"
import { isBetter, otherColumns, provenRows } from "./OtherColumns.ts"
import { LinesReader, sameColumns } from "./ReadLines.ts"
import { type TableItem, tableItems } from "./TableItems.ts"
import type { SumLabels } from "./SumLabels.ts"
import type { TableSearch } from "./TableLines.ts"
import { tableProof, type TableProof } from "./TableProof.ts"
import { columnOfFigures, impliedColumns } from "./ImpliedColumns.ts"

/** A row in which one figure times another is a third. */
interface Product {
  readonly row: number
  readonly quantity: Candidate<number>
  readonly unitPrice: Candidate<number>
  readonly amount: Candidate<number>
  /** A quantity of one proves nothing. */
  readonly proves: boolean
}

/** The least quality of a number that is likely an amount, with or without cents. */
const likelyAmount = 0.7

/** The number of figures of a row that are compared, from the right. */
const mostFigures = 12

const right = ({ bbox }: Candidate): number => bbox.x + bbox.w

/** All products of a row. In `1  1  1,500,000  1,500,000`, the number of the line makes one as the quantity does. */
const productsIn = (row: number, figures: ReadonlyArray<Candidate<number>>): ReadonlyArray<Product> =>
  figures.flatMap((amount) => {
    if (Math.abs(amount.value) < 0.01 || amount.quality < likelyAmount) return []
    const before = figures.filter((figure) => figure.span.to < amount.span.from && figure.value !== 0)
    return before.flatMap((quantity, i) =>
      before.slice(i + 1).flatMap((unitPrice): ReadonlyArray<Product> => {
        const product = Math.abs(quantity.value * unitPrice.value)
        if (Math.abs(product - Math.abs(amount.value)) > 0.011) return []
        const proves = quantity.value !== 1 && unitPrice.value !== 1
        return [{ row, quantity, unitPrice, amount, proves }]
      })
    )
  })

const beneath = (a: Candidate, b: Candidate): boolean =>
  Math.abs(right(a) - right(b)) <= 6 || Math.abs(a.bbox.x - b.bbox.x) <= 3

const alike = (a: Product, b: Product): boolean =>
  beneath(a.quantity, b.quantity) && beneath(a.unitPrice, b.unitPrice) && beneath(a.amount, b.amount)

/**
 * The columns of a table that has no headings, or none that are known: by the rows on a page in which quantity times
 * price is the amount, one under the other. Undefined where no row proves it.
 */
const tableByFigures = (
  reading: Reading,
  page: number,
  columns: ReadonlyArray<Column>
): TableHeader | undefined => {
  const model = reading.pages[page]
  if (
    model === undefined ||
    !["quantity", "unitPrice", "amount"].every((name) => columns.some((c) => c.name === name))
  )
    return undefined
  const products = model.rows.flatMap((_, row) =>
    productsIn(row, (reading.moneyByRow.get(rowKey(page, row)) ?? []).slice(-mostFigures))
  )
  const groups = products.map((product) => products.filter((other) => alike(product, other)))
  const [most] = groups.toSorted((a, b) => b.length - a.length)
  const [first] = most ?? []
  if (most === undefined || first === undefined || !most.some(({ proves }) => proves)) return undefined
  const rows = most.map(({ row, quantity, unitPrice, amount }) => ({
    row,
    figures: [quantity, unitPrice, amount]
  }))
  const figures = (["quantity", "unitPrice", "amount"] as const).map((name) =>
    columnOfFigures(
      columns,
      name,
      most.map((product) => product[name])
    )
  )
  const headings = impliedColumns(model, columns, rows, figures)
  if (headings.length === 0) return undefined
  return { firstRow: first.row - 1, lastRow: first.row - 1, headings, worth: 1.5 }
}

/** A table that was found: its rows, and where they are. */
export interface FoundTable extends TableProof {
  readonly items: ReadonlyArray<TableItem>
  /** The page it begins on, counted from 0. */
  readonly page: number
  /** The box around its rows on that page. */
  readonly bbox: Box
}

/** Whether something is in one of the rows of a table, if there are several. */
export const isInItems = ({ items }: FoundTable, { bbox, span }: Candidate): boolean =>
  items.length > 1 &&
  items.some(({ bbox: row, page }) => {
    const [across, down] = [bbox.x + bbox.w / 2, bbox.y + bbox.h / 2]
    return (
      page === span.page && across > row.x && across < row.x + row.w && down > row.y && down < row.y + row.h
    )
  })

type HeaderOf = (page: number) => Effect.Effect<TableHeader | undefined>

const readTable = Effect.fnUntraced(function* (search: TableSearch, headerOf: HeaderOf) {
  const table = new LinesReader(search)
  let header: TableHeader | undefined
  for (const page of search.reading.pages.keys()) {
    yield* Effect.yieldNow
    const named = yield* headerOf(page)
    // What looks like the sum may be the one carried forward: the same headings come again.
    if (table.ended && table.found && !sameColumns(header, named)) break
    table.ended = false
    header = named ?? header
    if (header !== undefined) table.read(page, named === undefined ? 0 : named.lastRow + 1, header)
  }
  return { columns: table.columns, found: tableItems(search.reading, search.field, table) }
})

type ReadTable = Effect.Success<ReturnType<typeof readTable>>

/** A table with its columns under other headings, where it adds up better so. */
const withOtherColumns = Effect.fnUntraced(function* (
  search: TableSearch,
  headerOf: HeaderOf,
  read: ReadTable
) {
  let best = read
  const header = read.columns[0]?.header
  if (header === undefined) return best
  for (const other of otherColumns(header, search.field.columns, read.found.items)) {
    const next = yield* readTable(search, (page) =>
      Effect.map(headerOf(page), (own) =>
        own?.headings.length === header.headings.length ? other(own) : own
      )
    )
    if (isBetter(next.found.items, best.found.items)) best = next
  }
  return best
})

/** A table by what its figures say, where they say more than its headings: products of rows, or amounts that add up. */
const withoutHeadings = Effect.fnUntraced(function* (search: TableSearch, { found }: ReadTable) {
  const { field, reading } = search
  const agreed = provenRows(found.items)
  if (agreed > 0.5 * found.items.length) return undefined
  const byFigures = yield* readTable(search, (page) =>
    Effect.sync(() => tableByFigures(reading, page, field.columns))
  )
  if (provenRows(byFigures.found.items) > agreed) return byFigures
  if (agreed > 0 || found.printed) return undefined
  const byAmounts = yield* readTable(search, (page) => Effect.sync(() => tableByAmounts(search, page)))
  return byAmounts.found.printed ? byAmounts : undefined
})

/**
 * Finds the rows of a table by its headings, on as many pages as it runs over; where those are missing or their rows do
 * not add up, by its figures. `sumLabels` mark the sums under it. Yields between pages.
 */
export const findTable = Effect.fnUntraced(function* (
  reading: Reading,
  field: Field,
  sumLabels: SumLabels
): Effect.fn.Return<FoundTable | undefined> {
  const names = columnNames(field.columns, reading.lexicon)
  const search = { reading, field, sumLabels }
  const headers = new Map<number, TableHeader | undefined>()
  const headerOf = Effect.fnUntraced(function* (page: number) {
    const model = reading.pages[page]
    if (model !== undefined && !headers.has(page)) headers.set(page, yield* tableHeader(model, names))
    return headers.get(page)
  })
  const byHeadings = yield* withOtherColumns(search, headerOf, yield* readTable(search, headerOf))
  const byFigures = yield* withoutHeadings(search, byHeadings)
  const { columns, found } = byFigures ?? byHeadings
  const { items } = found
  const [first] = items
  if (first === undefined) return undefined
  const boxes = items.filter(({ page }) => page === first.page).map(({ bbox }) => bbox)
  return {
    items,
    page: first.page,
    bbox: around(boxes),
    ...tableProof(field, found, columns, byFigures === undefined)
  }
})
