import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { readPrinted } from "../pages/ReadPrinted.ts"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"

it.effect("a new balance is not the total where another amount has a clear label", () =>
  Effect.gen(function* () {
    const page = placedPage(
      linesOf(60, 14, [
        { 40: "ΤΙΜΟΛΟΓΙΟ 0004418" },
        { 300: "ΚΑΘΑΡΗ ΑΞΙΑ", 500: "825,09" },
        { 300: "ΣΥΝΟΛΟ ΦΠΑ", 500: "112,68" },
        { 300: "ΠΛΗΡΩΤΕΟ €", 500: "937,77" },
        { 40: "Προηγ. υπόλοιπο: 412,60 €" },
        { 40: "Νέο υπόλοιπο: 1.350,37 €" }
      ])
    )
    const fields = [fieldOf("totalAmount", { preset: "invoice.totalAmount" })]
    const { totalAmount } = yield* extractByRules(page, { fields, relations: [] })
    expect(totalAmount?.value).toBe(937.77)
  })
)

it.effect("what was owed before is no part of the total, although both are asked for", () =>
  Effect.gen(function* () {
    const { found, values } = yield* readPrinted([
      "Maple Hollow Veterinary Hospital      INVOICE",
      "Invoice No. 104882         Date 10/21/2026",
      "Examination                             118.00",
      "Radiographs                             494.35",
      "                     Subtotal           612.35",
      "                     HST 13%             79.61",
      "                     Invoice total      691.96",
      "                     Previous balance    45.00",
      "                     Balance due        736.96"
    ])
    expect([values["subtotal"], values["taxAmount"], values["totalAmount"]]).toEqual([612.35, 79.61, 691.96])
    expect(found["taxAmount"]?.confidence).toBeGreaterThan(0.9)
  })
)
