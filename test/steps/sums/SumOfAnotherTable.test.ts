import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"

const presets = {
  subtotal: "invoice.subtotal",
  taxAmount: "invoice.taxAmount",
  totalAmount: "invoice.totalAmount",
  lineItems: "invoice.lineItems"
} as const

/** The confidence in a table of 40.00, to which something of 8.00 is added. */
const confidenceWith = (addend: string) =>
  Effect.map(
    extractByRules(
      placedPage([
        ...linesOf(100, 12, [
          { 40: "Description", 300: "Qty", 360: "Price", 440: "Amount" },
          { 40: "Review of the contract", 300: "2", 360: "10.00", 440: "20.00" },
          { 40: "Call with the client", 300: "2", 360: "10.00", 440: "20.00" }
        ]),
        ...linesOf(200, 12, [
          { 340: "Subtotal", 440: "40.00" },
          { 340: addend, 440: "8.00" },
          { 340: "Total", 440: "48.00" }
        ])
      ]),
      {
        fields: Object.entries(presets).map(([name, preset]) => fieldOf(name, { preset })),
        relations: ["subtotal + taxAmount = totalAmount", "sum(lineItems.amount) = subtotal"]
      }
    ),
    ({ lineItems }) => lineItems?.confidence ?? 0
  )

it.effect("a table is not sure where what is added to its sum may be that of another one, and no tax", () =>
  Effect.gen(function* () {
    expect(yield* confidenceWith("VAT 20 %")).toBeGreaterThanOrEqual(0.9)
    expect(yield* confidenceWith("Costs advanced")).toBeLessThan(0.9)
  })
)
