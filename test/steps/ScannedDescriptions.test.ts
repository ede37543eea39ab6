import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../src/steps/extract/Field.ts"
import { extractByRules } from "../../src/steps/extract/Rules.ts"
import { linesOf, placedPage } from "./PlacedLines.ts"

const table = [
  ...linesOf(100, 12, [{ 40: "Description", 300: "Qty", 360: "Price", 440: "Amount" }]),
  ...linesOf(116, 14.8, [{ 40: "Churn model,", 300: "2", 360: "10.00", 440: "20.00" }, { 40: "phase two" }]),
  ...linesOf(144, 14.6, [{ 40: "Dashboard", 300: "3", 360: "5.00", 440: "15.00" }, { 40: "maintenance" }]),
  ...linesOf(171.4, 13.8, [{ 40: "(May)" }, { 40: "Travel", 300: "1", 360: "7.00", 440: "7.00" }]),
  ...linesOf(200, 14, [{ 40: "to Tacoma" }]),
  ...linesOf(230, 12, [{ 340: "Subtotal", 440: "42.00" }])
]

describe("descriptions of several lines on a scan", () => {
  it.effect("are whole, although letters of different heights look like gaps between lines", () =>
    Effect.gen(function* () {
      const presets = { subtotal: "invoice.subtotal", lineItems: "invoice.lineItems" } as const
      const fields = Object.entries(presets).map(([name, preset]) => fieldOf(name, { preset }))
      const { lineItems } = yield* extractByRules(placedPage(table, 0.95), { fields, relations: [] })
      expect(lineItems?.value).toMatchObject([
        { description: "Churn model, phase two" },
        { description: "Dashboard maintenance (May)" },
        { description: "Travel to Tacoma" }
      ])
    })
  )
})
