import { Effect } from "effect"
import type { FieldEvidence } from "../../../domain/Evidence.ts"
import type { Field } from "../Field.ts"
import { evidenceAt, ground } from "../grounding/Ground.ts"
import { groundRows } from "../grounding/GroundRows.ts"
import type { SearchableText } from "../grounding/SearchableText.ts"
import type { TableRow } from "../tables/TableRow.ts"

/** Where a value of the data also is on a page, and how it is written there. Empty where it appears nowhere. */
export const onPage = (
  searchable: SearchableText,
  field: Field,
  value: string | number
): Pick<FieldEvidence, "page" | "bbox" | "text"> => {
  const found = ground(searchable, field, { value })
  return found === undefined ? {} : { ...evidenceAt(searchable, found.place), text: found.place.text }
}

/** More rows are not looked for: the box is that of the first page anyway. */
const mostRows = 100

/**
 * The page and box of the first rows that are on a page. A page that shows a figure here and there and most of the cells
 * nowhere does not show the rows: then there is neither.
 */
export const rowsOnPage = Effect.fnUntraced(function* (
  searchable: SearchableText,
  field: Field,
  rows: ReadonlyArray<TableRow>
): Effect.fn.Return<Pick<FieldEvidence, "page" | "bbox">> {
  const claims = rows.slice(0, mostRows).map((row) => ({ row }))
  const { absent, place } = yield* groundRows(searchable, field, claims)
  const cells = claims.flatMap(({ row }) => Object.values(row).filter(isGiven))
  return place === undefined || absent.length * 2 > cells.length ? {} : evidenceAt(searchable, place)
})

const isGiven = (cell: unknown): boolean => cell !== null && cell !== undefined && cell !== ""
