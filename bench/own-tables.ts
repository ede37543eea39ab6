/**
 * Measures how often tables with columns of a flow's own are exact, by the confidence they claim: with a relation that
 * compares a column's sum with a printed amount, without one, and of flows that ask for nothing but the table. The
 * invoices are those of `bench/lines.ts`.
 *
 *   node bench/own-tables.ts [--seeds 3]
 */
import { Effect, Layer } from "effect"
import { DocumentReader } from "../src/document/DocumentReader.ts"
import type { DocumentIR } from "../src/domain/DocumentIR.ts"
import { Ocr } from "../src/providers/ocr/Ocr.ts"
import { fieldOf } from "../src/extraction/lexicon/Field.ts"
import type { FieldDefinition } from "../src/extraction/fields/FieldDefinition.ts"
import { extractByRules } from "../src/extraction/rules/Rules.ts"
import { type Line, type LinePage, linePages } from "./LinePages.ts"
import { words } from "./LineWords.ts"
import { printedPdf, printPages } from "./PrintedPdf.ts"

const seedsAt = process.argv.indexOf("--seeds")
const seeds = seedsAt < 0 ? 3 : Number(process.argv[seedsAt + 1])

const types = {
  code: "string",
  description: "string",
  quantity: "number",
  unitPrice: "money",
  amount: "money"
} as const

type Column = keyof typeof types

/** The columns that a flow may ask for: all of them, and some. */
const choices: ReadonlyArray<ReadonlyArray<Column>> = [
  ["code", "description", "quantity", "unitPrice", "amount"],
  ["description", "amount"],
  ["code", "quantity", "amount"],
  ["description", "quantity", "amount"],
  ["code", "description", "quantity"]
]

/** The name of a column in the flow: not those of the presets, which have rules of their own. */
const named = (column: Column): string => `own_${column}`

const sums: Record<string, FieldDefinition> = {
  net: { preset: "invoice.subtotal" },
  vat: { preset: "invoice.taxAmount" },
  total: { preset: "invoice.totalAmount" }
}

/** What a flow asks for next to its table, and the relations that it states. */
const flows = {
  "with a relation": { fields: sums, relations: ["net + vat = total", "sum(lines.own_amount) = net"] },
  without: { fields: sums, relations: ["net + vat = total"] },
  "the table alone": { fields: {}, relations: [] }
} as const

type Asked = keyof typeof flows

const fieldsFor = (
  { family }: LinePage,
  columns: ReadonlyArray<Column>,
  asked: Asked
): Record<string, FieldDefinition> => {
  const { heads } = words[family.language]
  return {
    ...flows[asked].fields,
    lines: {
      type: "table",
      columns: Object.fromEntries(
        columns.map((column) => [
          named(column),
          { type: types[column], labels: column === "code" ? [family.codeHeading] : heads[column] }
        ])
      )
    }
  }
}

const squeezed = (value: unknown): unknown =>
  typeof value === "string" ? value.replace(/\s+/gu, " ").trim() : value

const judged = Effect.fnUntraced(function* (
  page: LinePage,
  document: DocumentIR,
  columns: ReadonlyArray<Column>,
  asked: Asked
) {
  const { relations } = flows[asked]
  const fields = Object.entries(fieldsFor(page, columns, asked)).map(([name, field]) => fieldOf(name, field))
  const { lines } = yield* extractByRules(document, { fields, relations })
  const rows: ReadonlyArray<Record<string, unknown>> = Array.isArray(lines?.value) ? lines.value : []
  const isRight = (line: Line, at: number) =>
    columns.every((column) => squeezed(rows[at]?.[named(column)]) === line[column])
  const isExact = rows.length === page.lines.length && page.lines.every(isRight)
  return { isExact, confidence: lines?.confidence ?? 0, asked }
})

const program = Effect.gen(function* () {
  const reader = yield* DocumentReader
  const all: Array<Effect.Success<ReturnType<typeof judged>>> = []
  const pages = linePages(seeds)
  yield* Effect.promise(() => printPages(pages.map(({ html }) => html)))
  for (const page of pages) {
    const pdf = yield* Effect.promise(() => printedPdf(page.html))
    const document = yield* reader.read(pdf, { mimeType: "application/pdf" })
    for (const choice of choices) {
      const columns = choice.filter((column) => page.family.columns.includes(column))
      if (columns.length < 2) continue
      all.push(yield* judged(page, document, columns, "without"))
      all.push(yield* judged(page, document, columns, "the table alone"))
      if (columns.includes("amount")) all.push(yield* judged(page, document, columns, "with a relation"))
    }
  }
  for (const asked of Object.keys(flows)) {
    console.log(asked)
    const tables = Map.groupBy(
      all.filter((table) => table.asked === asked),
      ({ confidence }) => confidence
    )
    for (const [confidence, group] of [...tables].toSorted(([a], [b]) => b - a))
      console.log(`  ${confidence}: exact ${group.filter(({ isExact }) => isExact).length}/${group.length}`)
  }
})

await Effect.runPromise(program.pipe(Effect.provide(DocumentReader.layer.pipe(Layer.provide(Ocr.layerOff)))))
