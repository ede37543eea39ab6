import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"

const table = [
  ...linesOf(100, 12, [{ 40: "Description", 300: "Qty", 360: "Price", 440: "Amount" }]),
  ...linesOf(116, 14.8, [{ 40: "Churn model,", 300: "2", 360: "10.00", 440: "20.00" }, { 40: "phase two" }]),
  ...linesOf(144, 14.6, [{ 40: "Dashboard", 300: "3", 360: "5.00", 440: "15.00" }, { 40: "maintenance" }]),
  ...linesOf(171.4, 13.8, [{ 40: "(May)" }, { 40: "Travel", 300: "1", 360: "7.00", 440: "7.00" }]),
  ...linesOf(200, 14, [{ 40: "to Tacoma" }]),
  ...linesOf(230, 12, [{ 340: "Subtotal", 440: "42.00" }])
]

const presets = { subtotal: "invoice.subtotal", lineItems: "invoice.lineItems" } as const
const fields = Object.entries(presets).map(([name, preset]) => fieldOf(name, { preset }))

describe("descriptions of several lines on a scan", () => {
  it.effect("belong to the item above them, if the widest gap is behind them", () =>
    Effect.gen(function* () {
      const uneven = [
        ...linesOf(100, 12, [{ 40: "Description", 300: "Qty", 360: "Price", 440: "Amount" }]),
        ...linesOf(118, 16, [
          { 40: "Distribution board,", 300: "1", 360: "148.60", 440: "148.60" },
          { 40: "with clamps" }
        ]),
        ...linesOf(152.5, 12, [
          { 40: "Breaker B16,", 300: "8", 360: "4.95", 440: "39.60" },
          { 40: "one pole" }
        ]),
        ...linesOf(182.5, 12, [{ 40: "Light panel", 300: "2", 360: "10.00", 440: "20.00" }]),
        ...linesOf(240, 12, [{ 340: "Subtotal", 440: "208.20" }])
      ]
      const { lineItems } = yield* extractByRules(placedPage(uneven, 0.95), { fields, relations: [] })
      expect(lineItems?.value).toMatchObject([
        { description: "Distribution board, with clamps" },
        { description: "Breaker B16, one pole" },
        { description: "Light panel" }
      ])
    })
  )

  it.effect("are whole, although letters of different heights look like gaps between lines", () =>
    Effect.gen(function* () {
      const { lineItems } = yield* extractByRules(placedPage(table, 0.95), { fields, relations: [] })
      expect(lineItems?.value).toMatchObject([
        { description: "Churn model, phase two" },
        { description: "Dashboard maintenance (May)" },
        { description: "Travel to Tacoma" }
      ])
    })
  )
})
