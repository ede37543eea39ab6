import type { Box } from "../../domain/DocumentIR.ts"
import { Effect } from "effect"
import type { Candidate } from "../layout/Candidate.ts"
import type { Column, Field } from "../lexicon/Field.ts"
import { around } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import { columnNames, tableHeader, type TableHeader } from "./TableHeader.ts"
import { tableByAmounts, tableByFigures } from "./BareTables.ts"
import { LinesReader, sameColumns, type SumLabels } from "./ReadLines.ts"
import { type TableItem, type TableItems, tableItems } from "./TableItems.ts"
import type { TableSearch } from "./TableLines.ts"
import { tableProof, type TableProof } from "./TableProof.ts"
import { isConsistent } from "./TableRow.ts"

/** Assigns columns to other headings of a table, from left to right. */
type Reassigned = (header: TableHeader) => TableHeader

const giving =
  (column: Column, to: number): Reassigned =>
  (header) => ({
    ...header,
    headings: header.headings.map(({ bbox, column: own, quality }, i) =>
      i === to
        ? { bbox, column, quality: 0.7 }
        : own === column || own === undefined
          ? { bbox, quality: 0 }
          : { bbox, column: own, quality }
    )
  })

const codeLike = /^[\p{Lu}\d][\p{Lu}\d./_*-]*$/u

const nearlyAll = 0.85

/** Whether the descriptions are codes, such as `KF-TERM`; the heading of a group may be below some. */
const areCodes = (items: ReadonlyArray<TableItem>): boolean =>
  items.length > 0 &&
  items.filter(
    ({ values: { description } }) =>
      // A narrow cell breaks `2504-011` at its hyphen.
      typeof description === "string" && codeLike.test(description.replace(/(?<=[-/.])\s/gu, ""))
  ).length >=
    nearlyAll * items.length

/** Whether most descriptions are words: with a small letter, and more than one of them. */
const areWords = (items: ReadonlyArray<TableItem>): boolean =>
  2 *
    items.filter(
      ({ values: { description } }) =>
        typeof description === "string" && /\p{Ll}{2}/u.test(description) && description.includes(" ")
    ).length >
  items.length

/** How many rows prove themselves: quantity times price is the amount. */
const provenRows = (items: ReadonlyArray<TableItem>): number =>
  items.filter((item) => isConsistent(item) === true).length

const to = (header: TableHeader, column: Column) =>
  header.headings.flatMap((heading, i) => (heading.column === undefined ? [giving(column, i)] : []))

/**
 * Other assignments of columns to the headings of a table whose rows do not add up, or whose descriptions are codes:
 * `Ord` and `Shp` both count, and only the figures tell which of them is meant.
 */
const otherColumns = (
  header: TableHeader,
  columns: ReadonlyArray<Column>,
  items: ReadonlyArray<TableItem>
): ReadonlyArray<Reassigned> => {
  const named = (name: string) =>
    columns.find(
      (column) => column.name === name && header.headings.some((heading) => heading.column === column)
    )
  const [description, quantity, unitPrice] = [named("description"), named("quantity"), named("unitPrice")]
  const amount = columns.find(({ name }) => name === "amount")
  const adds = 2 * provenRows(items) > items.length
  const moved =
    adds || quantity === undefined || items.length === 0
      ? []
      : [amount, unitPrice ?? columns.find(({ name }) => name === "unitPrice")].flatMap((column) =>
          column === undefined ? [] : to(header, column)
        )
  const counted = columns.find(({ name }) => name === "quantity")
  // Of `Ord`, `Shp` and `B/O`, what was delivered is what is charged, though most rows have it ordered as well.
  const counts =
    counted === undefined ||
    unitPrice === undefined ||
    items.length === 0 ||
    (quantity !== undefined && provenRows(items) === items.length)
      ? []
      : to(header, counted)
  const texts = description === undefined || !areCodes(items) ? [] : to(header, description)
  return [...moved, ...counts, ...texts, ...pricesAsAmounts(header, amount, unitPrice, items)]
}

/**
 * The price as the amount, as `Price` names either: behind a price that has another name, `Unit price  Price`, or where none is
 * behind it, `Quantity  Price`.
 */
const pricesAsAmounts = (
  header: TableHeader,
  amount: Column | undefined,
  unitPrice: Column | undefined,
  items: ReadonlyArray<TableItem>
): ReadonlyArray<Reassigned> => {
  if (amount === undefined || unitPrice === undefined || provenRows(items) === items.length) return []
  const at = header.headings.findIndex(({ column }) => column === unitPrice)
  const named = giving(amount, at)
  const before = to({ ...header, headings: header.headings.slice(0, at) }, unitPrice)
  const isLast = header.headings.every(({ column }) => column !== amount)
  return [
    ...(isLast ? [named] : []),
    ...before.map(
      (price): Reassigned =>
        (own) =>
          price(named(own))
    )
  ]
}

/**
 * Whether one reading of a table is better than another: more rows add up, or words instead of codes describe them. Fewer
 * items are better only if all of them add up: the others were none.
 */
const isBetter = ({ items, printed }: TableItems, { items: than, sum }: TableItems): boolean => {
  const [now, before] = [provenRows(items), provenRows(than)]
  if (items.length < than.length && now < items.length) return false
  // Amounts that come to a printed sum, where there were none.
  if (printed && sum === undefined && before === 0 && items.length === than.length) return true
  return (now > before && 2 * now > items.length) || (now >= before && areCodes(than) && areWords(items))
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
    if (isBetter(next.found, best.found)) best = next
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
