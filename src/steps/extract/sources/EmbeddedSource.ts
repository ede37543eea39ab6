import { Effect } from "effect"
import type { DocumentIR } from "../../../domain/DocumentIR.ts"
import type { EmbeddedInvoice } from "../../../domain/EmbeddedInvoice.ts"
import type { FieldEvidence } from "../../../domain/Evidence.ts"
import { withoutCreditSign } from "../../../extraction/sums/CreditNote.ts"
import { disagreements } from "../embedded/Disagreements.ts"
import { invoiceRows } from "../embedded/InvoiceRows.ts"
import { invoiceValue } from "../embedded/TermValue.ts"
import type { Field } from "../../../extraction/lexicon/Field.ts"
import { searchableText, type SearchableText } from "../../../extraction/grounding/SearchableText.ts"
import { RulesReader } from "../../../extraction/rules/Rules.ts"
import { type Found, missingOf, type SourceRequest, type SourceResult } from "../ExtractSource.ts"
import { defined } from "../../../support/Defined.ts"
import { evidenceAt, ground } from "../../../extraction/grounding/Ground.ts"
import { groundRows } from "../../../extraction/grounding/GroundRows.ts"
import type { TableRow } from "../../../extraction/tables/TableRow.ts"

/** Where a value of the data also is on a page, and how it is written there. Empty where it appears nowhere. */
const onPage = (
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
const rowsOnPage = Effect.fnUntraced(function* (
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

/** The confidence in data of the sender's own program, unless the page disagrees or lines were left out. */
const sure = 0.99
const disputed = 0.6

const evidenceOf = Effect.fnUntraced(function* (
  searchable: SearchableText,
  invoice: EmbeddedInvoice,
  field: Field
) {
  const attachment = defined({ attachment: invoice.attachment })
  const always = { status: "grounded", by: "embedded", ...attachment } as const
  const rows = invoiceRows(invoice, field)
  if (rows !== undefined) {
    const confidence = invoice.linesLeftOut === undefined ? sure : disputed
    const place = yield* rowsOnPage(searchable, field, rows.rows)
    return { ...always, value: rows.rows, confidence, path: rows.path, ...place } satisfies FieldEvidence
  }
  const found = invoiceValue(invoice, field)
  if (found === undefined) return undefined
  const { path, text, value } = found
  return {
    ...always,
    value,
    confidence: sure,
    path,
    text,
    ...onPage(searchable, field, value)
  } satisfies FieldEvidence
})

/** Where no invoice was found, the files that may hold one and were not read: their data must not be missed silently. */
const unread = ({ extras }: DocumentIR): ReadonlyArray<string> =>
  (extras.attachments ?? []).flatMap(({ filename, problem }) =>
    problem === undefined
      ? []
      : [`The attached file ${filename ?? "without a name"} was not read: ${problem}`]
  )

const lines = ({ linesLeftOut }: EmbeddedInvoice): ReadonlyArray<string> =>
  linesLeftOut === undefined ? [] : [`The invoice data has ${linesLeftOut} more lines than are read.`]

const disputedIn = (found: Found, names: ReadonlySet<string>): Found =>
  Object.fromEntries(
    Object.entries(found).map(([name, evidence]) => [
      name,
      names.has(name) ? Object.assign({}, evidence, { confidence: disputed }) : evidence
    ])
  )

/**
 * Takes values from the electronic invoice that a document contains or is: each with its path in the XML, and its place
 * on a page if the page shows it too. If a page surely shows something else, the data wins, and a warning says so.
 */
export const embeddedSource = Effect.fnUntraced(function* (request: SourceRequest) {
  const { document, dateOrder, fields, relations } = request
  const nothing = { tokensUsed: 0, model: null }
  const { invoice } = document.extras
  if (invoice === undefined) return { found: request.found, warnings: unread(document), ...nothing }
  const searchable = yield* searchableText(document, fields, dateOrder)
  const own = new Map<string, FieldEvidence>()
  for (const field of missingOf(fields, request.found)) {
    yield* Effect.yieldNow
    const evidence = yield* evidenceOf(searchable, invoice, field)
    if (evidence !== undefined) own.set(field.name, evidence)
  }
  const found = withoutCreditSign(fields, { ...request.found, ...Object.fromEntries(own) })
  const readByRules = yield* RulesReader
  // The page of an invoice that is XML was made from the data.
  const byRules =
    invoice.attachment === undefined
      ? undefined
      : yield* readByRules(document, { fields, relations, ...defined({ dateOrder }) })
  const differ = byRules === undefined ? [] : disagreements(invoice, fields, found, byRules.found)
  return {
    found: disputedIn(found, new Set(differ.map(({ field }) => field))),
    warnings: [...differ.map(({ warning }) => warning), ...lines(invoice)],
    ...nothing,
    ...defined({ byRules })
  } satisfies SourceResult
})
