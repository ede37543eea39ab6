import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sureFrom } from "../../../src/domain/Evidence.ts"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"

const names = ["subtotal", "taxAmount", "totalAmount"] as const

const sumsOf = (rows: ReadonlyArray<readonly [string, string]>) =>
  extractByRules(
    placedPage(
      linesOf(
        40,
        14,
        rows.map(([label, amount]) => ({ 40: label, 200: amount }))
      )
    ),
    {
      fields: names.map((name) => fieldOf(name, { preset: `invoice.${name}` })),
      relations: ["subtotal + taxAmount = totalAmount"]
    }
  )

const tenderOf = (lines: ReadonlyArray<readonly [string, string]>) =>
  extractByRules(
    placedPage(
      linesOf(
        40,
        14,
        lines.map(([label, amount]) => ({ 40: label, 200: amount }))
      )
    ),
    {
      fields: (["totalAmount", "cash", "change"] as const).map((name) =>
        fieldOf(name, { preset: `receipt.${name}` })
      ),
      relations: ["totalAmount + change = cash"]
    }
  )

describe("cash that was handed over", () => {
  it.effect("is not the total, nor is the change its tax, although they add up with the total", () =>
    Effect.gen(function* () {
      const sums = yield* sumsOf([
        ["TAX INVOICE", ""],
        ["Subtotal", "38.60"],
        ["SST 6%", "2.32"],
        ["Rounding", "-0.02"],
        ["TOTAL", "40.90"],
        ["CASH", "50.00"],
        ["CHANGE", "9.10"]
      ])
      assert.strictEqual(sums["totalAmount"]?.value, 40.9)
      assert.notStrictEqual(sums["taxAmount"]?.value, 9.1)
    })
  )

  it.effect("may be printed with a minus where it is given back", () =>
    Effect.gen(function* () {
      const sums = yield* sumsOf([
        ["RECHNUNG", ""],
        ["Netto", "10,92"],
        ["MwSt 19%", "2,07"],
        ["Gesamtbetrag", "12,99"],
        ["Bar gegeben", "20,00"],
        ["Rückgeld", "-7,01"]
      ])
      assert.deepStrictEqual(
        names.map((name) => sums[name]?.value),
        [10.92, 2.07, 12.99]
      )
    })
  )

  it.effect("is a total where nothing was given back", () =>
    Effect.gen(function* () {
      const { totalAmount } = yield* sumsOf([
        ["INVOICE", ""],
        ["Net amount", "100.00"],
        ["VAT 20%", "20.00"],
        ["Total cash price", "120.00"]
      ])
      assert.strictEqual(totalAmount?.value, 120)
      assert.isAtLeast(totalAmount?.confidence ?? 0, sureFrom)
    })
  )

  it.effect("has what was bought above it: an amount below says nothing of it", () =>
    Effect.gen(function* () {
      const { totalAmount } = yield* sumsOf([
        ["INVOICE", ""],
        ["Total due in cash", "50.00"],
        ["Change to deposit", "9.10"],
        ["Rest on delivery", "40.90"]
      ])
      assert.strictEqual(totalAmount?.value, 50)
    })
  )

  it.effect("proves the total of a receipt, also where the change is printed with a minus", () =>
    Effect.gen(function* () {
      const page = placedPage(
        linesOf(40, 14, [
          { 40: "Kassenbon" },
          { 40: "Summe EUR", 200: "12,99" },
          { 40: "Bar EUR", 200: "20,00" },
          { 40: "Rückgeld EUR", 200: "-7,01" }
        ])
      )
      const found = yield* extractByRules(page, {
        fields: (["totalAmount", "cash", "change"] as const).map((name) =>
          fieldOf(name, { preset: `receipt.${name}` })
        ),
        relations: ["totalAmount + change = cash"]
      })
      assert.deepStrictEqual(
        ["totalAmount", "cash", "change"].map((name) => found[name]?.value),
        [12.99, 20, 7.01]
      )
      assert.isAtLeast(found["totalAmount"]?.confidence ?? 0, sureFrom)
    })
  )

  it.effect("is not sure where no sum proves it: a bar is no cash", () =>
    Effect.gen(function* () {
      const { cash } = yield* tenderOf([
        ["HOTELL GÄSTIS", ""],
        ["Varbergs Gästgiveri AB", ""],
        ["KVITTO 20418", ""],
        ["Logi dubbelrum", "2 190,00"],
        ["Parkering", "160,00"],
        ["Bar", "240,00"],
        ["Totalt SEK", "2 590,00"],
        ["Varav moms 12%", "234,64"],
        ["Varav moms 25%", "80,00"],
        ["Betalt med kort", "2 590,00"]
      ])
      assert.strictEqual(cash?.value, 240)
      assert.isBelow(cash?.confidence ?? 0, sureFrom)
    })
  )
})
