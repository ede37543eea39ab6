import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"

it.effect("amounts of items are read without the letter of the rate behind them", () =>
  Effect.gen(function* () {
    const page = placedPage([
      ...linesOf(100, 20, [
        { 40: "Description", 300: "Qty", 360: "Price", 440: "Amount" },
        { 40: "Oak table", 300: "2", 360: "10.00", 440: "20.00T" },
        { 40: "Assembly", 300: "3", 360: "5.00", 440: "15.00" }
      ]),
      ...linesOf(220, 12, [{ 340: "Subtotal", 440: "35.00" }])
    ])
    const presets = { subtotal: "invoice.subtotal", lineItems: "invoice.lineItems" } as const
    const fields = Object.entries(presets).map(([name, preset]) => fieldOf(name, { preset }))
    const { lineItems } = yield* extractByRules(page, { fields, relations: [] })
    expect(lineItems?.value).toMatchObject([{ amount: 20 }, { amount: 15 }])
  })
)
