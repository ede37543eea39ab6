import { Effect, Schema } from "effect"
import type { ReadFailure } from "../../domain/Document.ts"
import type { DocumentIR } from "../../domain/DocumentIR.ts"
import type { FieldEvidence } from "../../domain/Evidence.ts"
import { DocumentReader } from "../../document/DocumentReader.ts"
import type { OcrUnavailable } from "../../providers/ocr/Ocr.ts"
import { CurrentLexicon } from "../../extraction/lexicon/CurrentLexicon.ts"
import { type FlowProblems, LocalRuns, type RunRefused } from "../local-runs/LocalRuns.ts"
import { type PrintedPair, printedPairs } from "./PrintedPairs.ts"
import { fieldsOfPairs, type ProposedField } from "./ProposedField.ts"
import { tableOfExamples } from "./ProposedTable.ts"
import { stringify } from "yaml"

/** The parts of a proposed flow's text. */
interface FlowOutline {
  readonly id: string
  readonly name: string
  readonly formats: ReadonlyArray<string>
  readonly fields: ReadonlyArray<ProposedField>
}

const oneLine = (value: unknown): string => stringify(value, { collectionStyle: "flow", lineWidth: 0 }).trim()

const fieldLine = ({ columns, labels, name, preset, type }: ProposedField): string => {
  if (preset !== undefined) return `        ${name}: ${oneLine({ preset })}`
  if (columns === undefined) return `        ${name}: ${oneLine({ type, labels })}`
  return [
    `        ${name}:`,
    "          type: table",
    "          columns:",
    ...columns.map(
      (column) => `            ${column.name}: ${oneLine({ type: column.type, labels: [column.label] })}`
    )
  ].join("\n")
}

/** The text of a flow that reads a document and extracts fields by rules, ready to be changed by hand. */
const flowText = ({ fields, formats, id, name }: FlowOutline): string =>
  [
    "docflow: 1",
    `id: ${id}`,
    "version: 1.0.0",
    `name: ${oneLine(name)}`,
    "document:",
    `  formats: ${oneLine(formats)}`,
    "",
    "steps:",
    "  - id: read",
    "    uses: parse",
    "    with:",
    "      document: ${{ input.document }}",
    "",
    "  - id: fields",
    "    uses: extract",
    "    with:",
    "      document: ${{ steps.read.document }}",
    "      using: [examples, rules]",
    "      fields:",
    ...fields.map(fieldLine),
    "",
    "output:",
    "  value:",
    ...fields.map((field) => `    ${field.name}: \${{ steps.fields.values.${field.name} }}`),
    ""
  ].join("\n")

/** An example document. */
export interface Example {
  readonly filename: string
  readonly bytes: Uint8Array
}

/** A flow made from example documents. */
export interface Proposal {
  /** The text of the flow file; it has no problems. */
  readonly text: string
  readonly fields: ReadonlyArray<ProposedField>
}

/** The examples show no field that a flow could extract. */
export class NothingFound extends Schema.TaggedError<NothingFound>()("NothingFound", {
  message: Schema.String
}) {}

/** The presets to try on an example; receipts come second, because an invoice has most of their fields, too. */
const kinds = {
  invoice: {
    invoiceNumber: "invoice.number",
    invoiceDate: "invoice.date",
    dueDate: "invoice.dueDate",
    vendorName: "invoice.vendorName",
    currency: "invoice.currency",
    subtotal: "invoice.subtotal",
    taxAmount: "invoice.taxAmount",
    totalAmount: "invoice.totalAmount",
    lineItems: "invoice.lineItems"
  },
  receipt: {
    merchantName: "receipt.merchantName",
    date: "receipt.date",
    totalAmount: "receipt.totalAmount",
    currency: "invoice.currency"
  }
} as const

/** The fields without which a document is not of the kind. */
const essential = { invoice: ["invoiceNumber", "totalAmount"], receipt: ["date", "totalAmount"] } as const

const sure = 0.6
const mostFields = 30
const tableName = "lines"

const isFound = (evidence: FieldEvidence | undefined): evidence is FieldEvidence =>
  evidence?.status === "grounded" && evidence.confidence >= sure

interface Opened extends Example {
  readonly document: DocumentIR
  readonly mimeType: string
}

const open = Effect.fnUntraced(function* (example: Example) {
  const reader = yield* DocumentReader
  const { mimeType } = yield* reader.inspect(example.bytes, { filename: example.filename })
  const document = yield* reader.read(example.bytes, { mimeType, pages: { from: 1, to: 5 } })
  return { ...example, document, mimeType } satisfies Opened
})

/** Runs a flow on every example: the evidence of each. */
const evidenceIn = Effect.fnUntraced(function* (
  text: string,
  examples: ReadonlyArray<Example>,
  onProgress: (done: number) => void = () => undefined
) {
  const runs = yield* LocalRuns
  const flow = yield* runs.compile(text, "proposal.yaml")
  return yield* Effect.forEach(examples, ({ bytes, filename }, done) => {
    onProgress(done + 1)
    return Effect.map(runs.run(flow, bytes, { filename }), ({ fields }) => fields)
  })
})

const plainText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

/** The fields of a list that at least half of the examples have, with what was found. */
const keptFields = (
  fields: ReadonlyArray<ProposedField>,
  found: ReadonlyArray<{ readonly [name: string]: FieldEvidence }>
): ReadonlyArray<ProposedField> =>
  fields.flatMap((field) => {
    const all = found.map((one) => one[field.name]).filter(isFound)
    const [first] = all
    if (first === undefined || all.length < found.length / 2) return []
    const example = field.columns === undefined ? (first.text ?? plainText(first.value)) : field.example
    return [{ ...field, foundIn: all.length, example }]
  })

const ofKind = Effect.fnUntraced(function* (
  kind: keyof typeof kinds,
  examples: ReadonlyArray<Opened>,
  formats: ReadonlyArray<string>
) {
  const wanted = Object.entries(kinds[kind]).map(([name, preset]) => ({
    name,
    preset,
    foundIn: 0,
    example: ""
  }))
  const found = yield* evidenceIn(flowText({ id: kind, name: kind, formats, fields: wanted }), examples)
  const kept = keptFields(wanted, found)
  const names = new Set(kept.map(({ name }) => name))
  return essential[kind].every((name) => names.has(name)) ? { kept, found } : undefined
})

const nothingKnown = { kept: [], found: [] }

/**
 * Proposes a flow for documents like the examples: the presets of an invoice or a receipt if they match, a field for each
 * label with a value that at least half of the examples have, and the table that they share. All proposed fields were found
 * by running the proposed flow on the examples.
 */
export const proposeFlow = Effect.fn("proposeFlow")(function* (
  id: string,
  name: string,
  examples: ReadonlyArray<Example>,
  onProgress: (what: "reading" | "checking", done: number) => void = () => undefined
): Effect.fn.Return<
  Proposal,
  NothingFound | ReadFailure | OcrUnavailable | FlowProblems | RunRefused,
  DocumentReader | LocalRuns
> {
  const opened = yield* Effect.forEach(examples, (example, done) => {
    onProgress("reading", done + 1)
    return open(example)
  })
  const formats = [...new Set(opened.map(({ mimeType }) => mimeType))]
  const { found, kept } =
    (yield* ofKind("invoice", opened, formats)) ?? (yield* ofKind("receipt", opened, formats)) ?? nothingKnown
  const values = new Set(found.flatMap((one) => Object.values(one).flatMap(({ text }) => text?.trim() ?? [])))
  const pairs: ReadonlyArray<ReadonlyArray<PrintedPair>> = opened.map(({ document }) =>
    printedPairs(document)
  )
  const names = [...kept.map((field) => field.name), tableName]
  const labelled = fieldsOfPairs(pairs, { values, names }, mostFields, yield* CurrentLexicon)
  const isInvoice = kept.some(({ preset }) => preset === kinds.invoice.lineItems)
  const tables = isInvoice
    ? []
    : tableOfExamples(
        opened.map(({ document }) => document),
        tableName
      )
  const drafted = [...kept, ...labelled, ...tables]
  if (drafted.length === 0) return yield* nothing
  const seen = yield* evidenceIn(flowText({ id, name, formats, fields: drafted }), opened, (done) =>
    onProgress("checking", done)
  )
  const fields = [...kept, ...keptFields([...labelled, ...tables], seen)]
  if (fields.length === 0) return yield* nothing
  return { text: flowText({ id, name, formats, fields }), fields }
})

const nothing = new NothingFound({
  message:
    "No field found in the example documents. Use documents whose values have labels, such as `Policy: 4711`, or start from a template"
})
