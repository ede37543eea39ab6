import type { Box } from "../../domain/DocumentIR.ts"
import { Effect } from "effect"
import type { Field } from "./Field.ts"
import { around } from "./PageModel.ts"
import type { Reading } from "./Reading.ts"
import { columnNames, tableHeader, type TableHeader } from "./TableHeader.ts"
import { TableReader } from "./TableReader.ts"
import { isConsistent, type TableRow } from "./TableRow.ts"

/** A table that was found: its rows, and where they stand. */
export interface FoundTable {
  readonly rows: ReadonlyArray<TableRow>
  /** The page it begins on, counted from 0. */
  readonly page: number
  /** The box around its rows on that page. */
  readonly bbox: Box
  readonly quality: number
}

/** How many rows agree with themselves. */
const agreement = (rows: ReadonlyArray<TableRow>): number =>
  rows.filter((row) => isConsistent(row) === true).length / rows.length

/**
 * Finds the rows of a table by its headings, on as many pages as it runs over. `moneyFields` are the fields whose labels
 * mark the sum under it. Yields between pages.
 */
export const findTable = Effect.fnUntraced(function* (
  reading: Reading,
  field: Field,
  moneyFields: ReadonlySet<string>
): Effect.fn.Return<FoundTable | undefined> {
  const table = new TableReader(reading, field, moneyFields)
  const names = columnNames(field.columns)
  let header: TableHeader | undefined
  for (const [page, model] of reading.pages.entries()) {
    yield* Effect.yieldNow
    const named = tableHeader(model, names)
    // Other tables may look a little like this one; on its later pages the same headings come again, or none.
    const own = named !== undefined && named.worth >= 0.8 * (header?.worth ?? 0) ? named : undefined
    header = own ?? header
    if (header === undefined) continue
    table.read(page, own === undefined ? 0 : own.lastRow + 1, header, own === undefined)
    if (table.ended && table.items.length > 0) break
    table.ended = false
  }
  const [first] = table.items
  if (first === undefined) return undefined
  const rows = table.items.map(({ values }) => values)
  const boxes = table.items.filter(({ page }) => page === first.page).map(({ cells }) => cells.bbox)
  return { rows, page: first.page, bbox: around(boxes), quality: 0.6 + 0.35 * agreement(rows) }
})
