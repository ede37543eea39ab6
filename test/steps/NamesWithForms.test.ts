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

  it.effect("may be in front of the name", () =>
    Effect.gen(function* () {
      const romanian = yield* nameOn(
        ...linesOf(40, 14, [
          { 40: "Furnizor: S.C. CARBODIST S.R.L.", 420: "FACTURA" },
          { 40: "CIF: RO28811042" },
          { 40: "Banca: Banca Transilvania" }
        ])
      )
      const japanese = yield* nameOn(
        ...linesOf(40, 14, [
          { 40: "居酒屋 はなび 御中", 420: "請求書" },
          { 40: "下記の通りご請求申し上げます。" },
          { 330: "株式会社 北浜食品" },
          { 330: "〒541-0041 大阪市中央区北浜2-3-8" }
        ])
      )
      assert.deepStrictEqual([romanian, japanese], ["S.C. CARBODIST S.R.L.", "株式会社 北浜食品"])
    })
  )

  it.effect("alone in a line belongs to the name above it, although a part of that could be a name", () =>
    Effect.gen(function* () {
      const name = yield* nameOn(
        ...linesOf(40, 14, [
          { 40: "The Northern Rope and", 420: "INVOICE" },
          { 40: "Rigging Company" },
          { 40: "Limited" },
          { 40: "Unit 6, Quayside, Hull HU1 2PQ" }
        ])
      )
      assert.strictEqual(name, "The Northern Rope and Rigging Company Limited")
    })
  )
})
