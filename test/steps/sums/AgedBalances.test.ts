import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"

const presets = {
  subtotal: "invoice.subtotal",
  taxAmount: "invoice.taxAmount",
  totalAmount: "invoice.totalAmount"
} as const
const fields = Object.entries(presets).map(([name, preset]) => fieldOf(name, { preset }))
const relations = ["subtotal + taxAmount = totalAmount"]

it.effect("what is owed on the account is not the total of the invoice", () =>
  Effect.gen(function* () {
    const page = placedPage(
      linesOf(60, 14, [
        { 40: "Imbizo Protection Services (Pty) Ltd" },
        { 40: "Guarding, day shift", 440: "48 062.50" },
        { 300: "Sub Total", 440: "R 48 062.50" },
        { 300: "VAT @ 15.00%", 440: "R 7 209.38" },
        { 300: "Total Due", 440: "R 55 271.88" },
        { 40: "90 Days", 120: "60 Days", 200: "30 Days", 300: "Current", 420: "Account balance" },
        { 40: "0.00", 120: "0.00", 200: "3 118.40", 300: "55 271.88", 420: "58 390.28" }
      ])
    )
    const { subtotal, taxAmount, totalAmount } = yield* extractByRules(page, { fields, relations })
    expect([subtotal?.value, taxAmount?.value, totalAmount?.value]).toEqual([48_062.5, 7209.38, 55_271.88])
  })
)
