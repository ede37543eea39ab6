import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { extractByRules } from "../../src/steps/extract/Rules.ts"
import { fieldOf } from "../../src/steps/extract/Field.ts"
import { linesOf, placedPage } from "./PlacedLines.ts"

const nameOn = (...lines: Parameters<typeof placedPage>[0]) =>
  Effect.map(
    extractByRules(placedPage(lines), {
      fields: [fieldOf("vendorName", { preset: "invoice.vendorName" })],
      relations: []
    }),
    ({ vendorName }) => vendorName?.value
  )

describe("a legal form", () => {
  it.effect("belongs to the name before it, also behind a gap", () =>
    Effect.gen(function* () {
      const name = yield* nameOn(
        ...linesOf(40, 14, [
          { 40: "TASMAN RURAL SUPPLIES", 166: "LTD", 420: "TAX INVOICE" },
          { 40: "PO Box 14 Motueka 7143" }
        ])
      )
      assert.strictEqual(name, "TASMAN RURAL SUPPLIES LTD")
    })
  )

  it.effect("alone is no name", () =>
    Effect.gen(function* () {
      const name = yield* nameOn(
        ...linesOf(40, 14, [{ 40: "LTD", 420: "TAX INVOICE" }, { 40: "PO Box 14 Motueka 7143" }])
      )
      assert.notStrictEqual(name, "LTD")
    })
  )

  it.effect("is none before a county", () =>
    Effect.gen(function* () {
      const name = yield* nameOn(
        ...linesOf(40, 14, [
          { 40: "Ballyvaughan Bee Supplies", 420: "SALES INVOICE" },
          { 40: "The Old Creamery, Ballyvaughan, Co. Clare H91 X4P2   VAT IE 3344556QA" }
        ])
      )
      assert.strictEqual(name, "Ballyvaughan Bee Supplies")
    })
  )
})
