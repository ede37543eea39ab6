/**
 * Measures how well line items are read from invoices that Chromium prints: descriptions of several lines, columns of a
 * flow's own, tables over several pages.
 *
 *   node bench/lines.ts [--half build|judge|all] [--seeds 3] [--family letter] [--as scan] [--errors]
 *
 * Rules are built on two thirds of the families (by the hash of their names) and only measured on the rest. A row is right
 * when all of its columns are; a table is exact when all of its rows are, and no more.
 */
import { hash } from "node:crypto"
import { Effect, Layer } from "effect"
import { DocumentReader } from "../src/document/DocumentReader.ts"
import { Ocr } from "../src/providers/ocr/Ocr.ts"
import * as OcrEngine from "../src/providers/ocr/OcrEngine.ts"
import { fieldOf } from "../src/extraction/lexicon/Field.ts"
import type { FieldDefinition } from "../src/extraction/fields/FieldDefinition.ts"
import { extractByRules } from "../src/extraction/rules/Rules.ts"
import { captured, captures } from "./Degraded.ts"
import { type Line, type LinePage, linePages } from "./LinePages.ts"
import { printedPdf, printPages } from "./PrintedPdf.ts"

const option = (name: string, fallback: string): string => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : (process.argv[at + 1] ?? fallback)
}
const half = option("half", "build")
const onlyFamily = option("family", "")
const as = captures.find((capture) => capture === option("as", "pdf")) ?? "pdf"
const isJudged = (name: string): boolean => parseInt(hash("sha256", name).slice(0, 4), 16) % 3 === 0

const fieldsFor = ({ family }: LinePage): Record<string, FieldDefinition> => ({
  invoiceNumber: { preset: "invoice.number" },
  invoiceDate: { preset: "invoice.date" },
  subtotal: { preset: "invoice.subtotal" },
  taxAmount: { preset: "invoice.taxAmount" },
  totalAmount: { preset: "invoice.totalAmount" },
  lineItems: {
    preset: "invoice.lineItems",
    ...(family.columns.includes("code")
      ? {
          columns: {
            code: { type: "string", labels: [family.codeHeading] },
            description: "string",
            quantity: "number",
            unitPrice: "money",
            amount: "money"
          }
        }
      : {})
  }
})
const relations = ["subtotal + taxAmount = totalAmount", "sum(lineItems.amount) = subtotal"]

const squeezed = (value: unknown): string => String(value).replace(/\s+/gu, " ").trim()

const isRight = (page: LinePage, row: Readonly<Record<string, unknown>> | undefined, line: Line): boolean =>
  row !== undefined &&
  row["quantity"] === line.quantity &&
  row["unitPrice"] === line.unitPrice &&
  row["amount"] === line.amount &&
  squeezed(row["description"]) === line.description &&
  (!page.family.columns.includes("code") || squeezed(row["code"]) === line.code)

interface Score {
  readonly family: string
  readonly rows: number
  readonly right: number
  readonly exact: boolean
  readonly sure: boolean
}

const say = (name: string, scores: ReadonlyArray<Score>): void => {
  const rows = scores.reduce((sum, score) => sum + score.rows, 0)
  const right = scores.reduce((sum, score) => sum + score.right, 0)
  const sure = scores.filter((score) => score.sure)
  const exact = scores.filter((score) => score.exact).length
  console.log(
    `${name.padEnd(16)} rows ${(right / rows).toFixed(3)} (${right}/${rows})  tables exact ${exact}/${scores.length}` +
      `  sure ${sure.length}, wrong among them ${sure.filter((score) => !score.exact).length}`
  )
}

const program = Effect.gen(function* () {
  const reader = yield* DocumentReader
  const pages = linePages(Number(option("seeds", "3"))).filter(
    ({ family }) =>
      (half === "all" || isJudged(family.name) === (half === "judge")) &&
      (onlyFamily === "" || family.name === onlyFamily)
  )
  const scores: Array<Score> = []
  yield* Effect.promise(() => printPages(pages.map(({ html }) => html)))
  for (const page of pages) {
    const printed = yield* Effect.promise(() => printedPdf(page.html))
    const { bytes, mimeType } =
      as === "pdf"
        ? { bytes: printed, mimeType: "application/pdf" }
        : yield* Effect.promise(() => captured(printed, as, page.name))
    const document = yield* reader.read(bytes, { mimeType })
    const fields = Object.entries(fieldsFor(page)).map(([name, field]) => fieldOf(name, field))
    const { lineItems } = yield* extractByRules(document, { fields, relations })
    const rows: ReadonlyArray<Record<string, unknown>> = Array.isArray(lineItems?.value)
      ? lineItems.value
      : []
    const aligned = rows.length === page.lines.length
    // Rows that are lost or doubled move those below: they are compared by their amounts then.
    const rowFor = (line: Line, i: number) =>
      aligned ? rows[i] : rows.find((row) => row["amount"] === line.amount)
    const right = page.lines.filter((line, i) => isRight(page, rowFor(line, i), line)).length
    const exact = aligned && right === page.lines.length
    scores.push({
      family: page.family.name,
      rows: page.lines.length,
      right,
      exact,
      sure: (lineItems?.confidence ?? 0) >= 0.9
    })
    if (!exact && process.argv.includes("--errors")) {
      console.log(
        `-- ${page.name}: ${rows.length} of ${page.lines.length} rows, confidence ${lineItems?.confidence}`
      )
      for (const [i, line] of page.lines.slice(0, 12).entries())
        if (!isRight(page, rowFor(line, i), line))
          console.log(`  wanted ${JSON.stringify(line)}\n  got    ${JSON.stringify(rowFor(line, i))}`)
    }
  }
  for (const [name, group] of Map.groupBy(scores, ({ family }) => family)) say(name, group)
  say(half, scores)
})

const ocr = as === "pdf" ? Ocr.layerOff : OcrEngine.layer({ engine: "auto", languages: ["auto"] })
await Effect.runPromise(program.pipe(Effect.provide(DocumentReader.layer.pipe(Layer.provide(ocr)))))
