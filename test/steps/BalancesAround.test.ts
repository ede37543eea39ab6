import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../src/steps/extract/Field.ts"
import { extractByRules } from "../../src/steps/extract/Rules.ts"
import { linesOf, placedPage } from "./PlacedLines.ts"

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
