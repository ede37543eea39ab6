/**
 * Measures how well the shipped `invoice` flow reads the born-digital invoices of the corpus.
 *
 *   node bench/extraction.ts [--half build|measure|all] [--embedded] [--errors] [file name part]
 *
 * Rules are built on one half of the documents (first digit of the SHA-256 below 8) and only measured on the other. A value counts
 * as right when it equals the truth or one of its aliases; sellers are compared loosely. With
 * --embedded the electronic invoices that documents carry are read first, and each warning of a disagreement is printed.
 */
import { readFileSync } from "node:fs"
import { Effect, Layer, Schema } from "effect"
import { type FieldResult, report } from "./FieldScores.ts"
import type { FieldEvidence } from "../src/domain/Evidence.ts"
import type { DocumentIR } from "../src/domain/DocumentIR.ts"
import { DocumentReader } from "../src/document/DocumentReader.ts"
import { Ocr } from "../src/providers/ocr/Ocr.ts"
import { missing } from "../src/steps/extract/RuleEvidence.ts"
import type { Field } from "../src/steps/extract/Field.ts"
import type { FieldDefinition } from "../src/steps/extract/FieldDefinition.ts"
import { extractByRules } from "../src/steps/extract/Rules.ts"
import { embeddedSource } from "../src/steps/extract/sources/EmbeddedSource.ts"
import { rulesSource } from "../src/steps/extract/sources/RulesSource.ts"
import { shippedFields } from "./ShippedFlow.ts"

const corpus = process.env["DOCFLOW_CORPUS"] ?? new URL("../../shared/corpus/open/", import.meta.url).pathname

const Scalar = Schema.Union([Schema.String, Schema.Number, Schema.Null])
const Expected = Schema.Struct({
  fields: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  items: Schema.optionalKey(Schema.Array(Schema.Record(Schema.String, Scalar))),
  aliases: Schema.optionalKey(Schema.Record(Schema.String, Schema.Array(Schema.Unknown)))
})
const Manifest = Schema.Struct({
  files: Schema.Array(Schema.Struct({ path: Schema.String, sha256: Schema.String, expected: Schema.Unknown }))
})

const names: Readonly<Record<string, string>> = {
  invoice_number: "invoiceNumber",
  date: "invoiceDate",
  due_date: "dueDate",
  vendor: "vendorName",
  currency: "currency",
  subtotal: "subtotal",
  tax: "taxAmount",
  total: "totalAmount",
  amount_due: "amountDue",
  customer: "customerName",
  po_number: "purchaseOrder",
  vendor_vat_id: "vendorVatId",
  vendor_tax_id: "vendorVatId"
}

/** Fields that the truth has and the flow has not. */
const more: Readonly<Record<string, FieldDefinition>> = {
  amountDue: { preset: "invoice.amountDue" },
  customerName: { preset: "invoice.customerName" },
  purchaseOrder: { preset: "invoice.purchaseOrder" },
  vendorVatId: { preset: "invoice.vendorVatId" }
}

const loose = (text: unknown): string =>
  String(text)
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]/gu, "")

const isRight = (name: string, value: unknown, truths: ReadonlyArray<unknown>): boolean =>
  truths.some((truth) => {
    if (value === null || value === undefined) return false
    if (typeof truth === "number") return Math.abs(Number(value) - truth) < 0.006
    if (name !== "vendorName" && name !== "customerName") return String(value) === String(truth)
    const [a, b] = [loose(value), loose(truth)]
    return a.includes(b) || b.includes(a)
  })

const itemResults = (
  file: string,
  evidence: FieldEvidence | undefined,
  items: (typeof Expected.Type)["items"]
) => {
  if (items === undefined) return []
  const rows = Array.isArray(evidence?.value) ? evidence.value : []
  return items.flatMap((item, i): Array<FieldResult> => {
    const row = rows[i] ?? {}
    const same = (field: string, truth: unknown) =>
      truth === null || truth === undefined || Math.abs(Number(row[field]) - Number(truth)) < 0.006
    const words = loose(item["description"] ?? "").slice(0, 8)
    const right =
      rows.length === items.length &&
      same("quantity", item["quantity"]) &&
      same("unitPrice", item["unit_price"]) &&
      same("amount", item["total"]) &&
      loose(row["description"] ?? "").includes(words)
    return [
      {
        file,
        field: "lineItems",
        right,
        evidence: evidence === undefined ? undefined : { ...evidence, value: row },
        truth: item
      }
    ]
  })
}

const argument = (name: string): string | undefined => process.argv[process.argv.indexOf(name) + 1]

const context = {
  executionId: "bench",
  path: "fields",
  environment: "test",
  progress: () => Effect.void
} as const

/** What the flow's two sources find together. */
const withEmbedded = Effect.fnUntraced(function* (
  document: DocumentIR,
  fields: ReadonlyArray<Field>,
  relations: ReadonlyArray<string>
) {
  const found = Object.fromEntries(fields.map(({ name }) => [name, missing]))
  const asked = { document, fields, relations, context, found }
  const embedded = yield* embeddedSource(asked)
  const rest = yield* rulesSource({ ...asked, found: embedded.found })
  return { found: rest.found, warnings: embedded.warnings }
})

const program = Effect.gen(function* () {
  const half = process.argv.includes("--half") ? argument("--half") : "all"
  const { fields, relations } = shippedFields("invoice", more)
  const manifest = Schema.decodeUnknownSync(Manifest)(
    JSON.parse(readFileSync(`${corpus}manifest.json`, "utf8"))
  )
  const files = manifest.files
    .filter(({ path }) => path.startsWith("invoices/") && path.endsWith(".pdf") && !path.includes(".scan."))
    .filter(({ sha256 }) => half === "all" || parseInt(sha256.slice(0, 1), 16) < 8 === (half === "build"))
  const reader = yield* DocumentReader
  const results: Array<FieldResult> = []
  const embedded = process.argv.includes("--embedded")
  let carrying = 0
  let milliseconds = 0
  for (const { path, expected } of files) {
    const truth = Schema.decodeUnknownSync(Expected)(expected)
    const document = yield* reader.read(readFileSync(corpus + path), { mimeType: "application/pdf" })
    const start = performance.now()
    const { found, warnings } = embedded
      ? yield* withEmbedded(document, fields, relations)
      : { found: yield* extractByRules(document, { fields, relations }), warnings: [] }
    milliseconds += performance.now() - start
    if (document.extras.invoice !== undefined) carrying++
    for (const warning of warnings) console.log(`${path.slice(9)}: ${warning}`)
    for (const [key, value] of Object.entries(truth.fields ?? {})) {
      const field = names[key]
      if (field === undefined) continue
      const truths = [value, ...(truth.aliases?.[key] ?? [])]
      results.push({
        file: path,
        field,
        right: isRight(field, found[field]?.value, truths),
        evidence: found[field],
        truth: value
      })
    }
    results.push(...itemResults(path, found["lineItems"], truth.items))
  }
  console.log(
    `invoices, ${half ?? "all"}: ${files.length} documents (${carrying} carry an electronic one, ${embedded ? "read" : "not read"}), ${(milliseconds / files.length).toFixed(1)} ms each`
  )
  report(results, { errors: process.argv.includes("--errors") })
})

await Effect.runPromise(program.pipe(Effect.provide(DocumentReader.layer.pipe(Layer.provide(Ocr.layerOff)))))
