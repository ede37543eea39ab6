import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { sureFrom } from "../../../src/domain/Evidence.ts"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"
import { foundOn, readPage } from "../pages/ReadPrinted.ts"

const names = ["subtotal", "taxAmount", "totalAmount"] as const

const tenderNames = ["totalAmount", "cash", "change"] as const
const page = (rows: ReadonlyArray<readonly [string, string]>) =>
  placedPage(
    linesOf(
      40,
      14,
      rows.map(([label, amount]) => ({ 40: label, 200: amount }))
    )
  )

const sumsOf = (rows: ReadonlyArray<readonly [string, string]>) =>
  Effect.map(readPage(page(rows)), ({ found }) => found)

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
      const definitions = Object.fromEntries(
        tenderNames.map((name) => [name, { preset: `receipt.${name}` } as const])
      )
      const rows = [
        ["Kassenbon", ""],
        ["Summe EUR", "12,99"],
        ["Bar EUR", "20,00"],
        ["Rückgeld EUR", "-7,01"]
      ] as const
      const { found } = yield* readPage(page(rows), definitions, ["totalAmount + change = cash"])
      assert.deepStrictEqual(
        tenderNames.map((name) => found[name]?.value),
        [12.99, 20, 7.01]
      )
      assert.isAtLeast(found["totalAmount"]?.confidence ?? 0, sureFrom)
    })
  )
})

it.effect(
  "what a minus takes off needs no word for a discount, and gallons tell the month before the day",
  () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-11-26"))
      const slip = page([
        ["PRAIRIE STOP", ""],
        ["08/09/25", "17:42"],
        ["GALLONS", "15.461"],
        ["FUEL TOTAL", "$ 48.69"],
        ["15.461 @ .021", "-$.32"],
        ["TOTAL SALE", "$ 48.37"]
      ])
      assert.strictEqual((yield* foundOn(slip, "receipt.totalAmount"))?.value, 48.37)
      assert.strictEqual((yield* foundOn(slip, "receipt.date"))?.value, "2025-08-09")
    })
)
