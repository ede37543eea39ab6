import type { Box } from "../../../domain/DocumentIR.ts"
import { Effect } from "effect"
import type { Field } from "../Field.ts"
import { around } from "../page/PageModel.ts"
import type { Reading } from "../page/Reading.ts"
import { columnNames, tableHeader, type TableHeader } from "./TableHeader.ts"
import { tableByFigures } from "./TableByFigures.ts"
import { isConsistent } from "./TableRow.ts"
import { LinesReader } from "./ReadLines.ts"
import { type TableItem, type TableItems, tableItems } from "./TableItems.ts"
import type { TableSearch } from "./TableLines.ts"
import { type TableProof, tableProof } from "./TableProof.ts"

/** A table that was found: its rows, and where they are. */
export interface FoundTable extends TableProof {
  readonly items: ReadonlyArray<TableItem>
  /** The page it begins on, counted from 0. */
  readonly page: number
  /** The box around its rows on that page. */
  readonly bbox: Box
}

/** How many rows prove themselves: quantity times price is the amount. */
const proven = ({ items }: TableItems): number =>
  items.filter(({ values }) => isConsistent(values) === true).length

/** Whether a page goes on with a table under the same headings in the same places. */
const sameColumns = (before: TableHeader | undefined, now: TableHeader | undefined): boolean =>
  before !== undefined &&
  now !== undefined &&
  now.headings.every(({ column, bbox }) =>
    before.headings.some((other) => other.column === column && Math.abs(other.bbox.x - bbox.x) <= 6)
  )

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
    // Other tables may look a little like this one; on its later pages the same headings come again, or none.
    const own = named !== undefined && named.worth >= 0.8 * (header?.worth ?? 0) ? named : undefined
    header = own ?? header
    if (header === undefined) continue
    table.read(page, own === undefined ? 0 : own.lastRow + 1, header, own === undefined)
  }
  return { columns: table.columns, found: tableItems(search.reading, search.field, table) }
})

/**
 * Finds the rows of a table by its headings, on as many pages as it runs over; where those are missing or their rows do
 * not add up, by its figures. `moneyFields` are the fields whose labels mark the sum under it. Yields between pages.
 */
export const findTable = Effect.fnUntraced(function* (
  reading: Reading,
  field: Field,
  moneyFields: ReadonlySet<string>
): Effect.fn.Return<FoundTable | undefined> {
  const names = columnNames(field.columns)
  const search = { reading, field, moneyFields }
  const byHeadings = yield* readTable(search, (page) => {
    const model = reading.pages[page]
    return model === undefined ? Effect.undefined : tableHeader(model, names)
  })
  const agreed = proven(byHeadings.found)
  const byFigures =
    agreed > 0.5 * byHeadings.found.items.length
      ? undefined
      : yield* readTable(search, (page) => Effect.sync(() => tableByFigures(reading, page, field.columns)))
  const isByFigures = byFigures !== undefined && proven(byFigures.found) > agreed
  const { columns, found } = isByFigures ? byFigures : byHeadings
  const { items } = found
  const [first] = items
  if (first === undefined) return undefined
  const boxes = items.filter(({ page }) => page === first.page).map(({ bbox }) => bbox)
  return {
    items,
    page: first.page,
    bbox: around(boxes),
    ...tableProof(field, found, columns, !isByFigures)
  }
})
