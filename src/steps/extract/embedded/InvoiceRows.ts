import type { EmbeddedInvoice, InvoiceLine } from "../../../domain/EmbeddedInvoice.ts"
import type { Column, Field } from "../../../extraction/lexicon/Field.ts"
import type { TableRow } from "../../../extraction/tables/TableRow.ts"
import { termValues } from "./TermValue.ts"

/** The lines of an electronic invoice as rows of a table field, and where they are. */
export interface InvoiceRows {
  readonly rows: ReadonlyArray<TableRow>
  readonly path: string
}

const round = (value: number): number => Math.round(value * 1e6) / 1e6

/** Prices may be for a hundred pieces: BT-149 says for how many. */
const pricedFor = (line: InvoiceLine): number => {
  const base = Number(line.terms.find(({ term }) => term === "BT-149")?.value ?? 1)
  return Number.isFinite(base) && base > 0 ? base : 1
}

const cellOf = (line: InvoiceLine, { term, type }: Column): string | number | null => {
  const value = term === undefined ? undefined : termValues(line.terms, term, type)[0]?.value
  const perPiece = (term === "BT-146" || term === "BT-148") && typeof value === "number"
  return perPiece ? round(value / pricedFor(line)) : (value ?? null)
}

const rowOf = (line: InvoiceLine, field: Field): TableRow =>
  Object.fromEntries(field.columns.map((column) => [column.name, cellOf(line, column)]))

const hasFigures = (row: TableRow): boolean => Object.values(row).some((cell) => typeof cell === "number")
const isFilled = (row: TableRow): boolean => Object.values(row).some((cell) => cell !== null)

/**
 * The lines of an invoice as rows of a table whose columns name their terms; undefined where it has no lines. Lines that
 * are nothing but text are left out where others have figures.
 */
export const invoiceRows = (invoice: EmbeddedInvoice, field: Field): InvoiceRows | undefined => {
  const [first] = invoice.lines
  if (field.type !== "table" || first === undefined) return undefined
  const rows = invoice.lines.map((line) => rowOf(line, field))
  const kept = rows.filter(rows.some(hasFigures) ? hasFigures : isFilled)
  return kept.length === 0 ? undefined : { rows: kept, path: first.path.replace(/\[\d+\]$/u, "") }
}
