import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"

const kindOn = (rows: ReadonlyArray<Readonly<Record<number, string>>>) =>
  Effect.map(
    extractByRules(placedPage(linesOf(40, 16, rows)), {
      fields: [fieldOf("kind", { preset: "invoice.documentType" })],
      relations: []
    }),
    ({ kind }) => [kind?.value, kind?.text]
  )

const rows = [
  { 40: "Description", 200: "Qty", 300: "Price", 400: "Amount" },
  { 40: "Survey", 200: "1", 300: "100.00", 400: "100.00" },
  { 40: "Subtotal", 400: "100.00" },
  { 40: "VAT 20 %", 400: "20.00" },
  { 40: "Total due", 400: "120.00" }
]

describe("the title of a document", () => {
  it.effect.each(["Northmoor Credit Union Ltd", "First Credit Bank plc", "Volksbank Credit Partner eG"])(
    "is not a word of its customer's name: %s",
    (customer) =>
      Effect.gen(function* () {
        const kind = yield* kindOn([
          { 40: "Larkspur Surveys Limited" },
          { 40: `To: ${customer}` },
          { 40: "12 Bridge Street" },
          { 40: "INVOICE", 120: "LS/2026/0031" },
          { 40: "Date: 20 February 2026" },
          ...rows
        ])
        assert.deepStrictEqual(kind, ["invoice", "INVOICE"])
      })
  )
  it.effect("is not the word for number", () =>
    Effect.gen(function* () {
      const kind = yield* kindOn([
        { 40: "Praxis am Wehr" },
        { 40: "Leistungsaufstellung Nr. 26/0093" },
        { 40: "Wir berechnen:" },
        { 40: "Rechnungsbetrag", 400: "113,67" }
      ])
      assert.deepStrictEqual(kind, ["invoice", "Rechnungsbetrag"])
    })
  )
})
