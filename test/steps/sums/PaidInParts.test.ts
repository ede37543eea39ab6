import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sureFrom } from "../../../src/domain/Evidence.ts"
import { printed } from "../pages/PrintedLines.ts"
import { foundOn } from "../pages/ReadPrinted.ts"

const row = ([label, amount]: readonly [string, string]) => `${label.padEnd(24)}${amount.padStart(10)}`

const totalOf = (rows: ReadonlyArray<readonly [string, string]>, recognized = false) =>
  foundOn(printed(["SALES RECEIPT", ...rows.map(row)], { recognized }), "receipt.totalAmount")

const bought = [
  ["Lamp", "39.90"],
  ["Batteries", "8.10"]
] as const

describe("a receipt that was paid in parts", () => {
  for (const recognized of [false, true])
    it.effect(`has the sum of a voucher and a card as its total${recognized ? " in a picture" : ""}`, () =>
      Effect.gen(function* () {
        const total = yield* totalOf(
          [
            ...bought,
            ["Total 2 items", "48.00"],
            ["Gift card", "20.00"],
            ["Card", "28.00"],
            ["SALE AMOUNT", "28.00"]
          ],
          recognized
        )
        assert.strictEqual(total?.value, 48)
      })
    )

  it.effect("has it also if the label of the last payment is unreadable", () =>
    Effect.gen(function* () {
      const total = yield* totalOf([
        ...bought,
        ["Total 2 items", "48.00"],
        ["Voucher", "20.00"],
        ["K0rl", "28.00"],
        ["SALE AMOUNT", "28.00"]
      ])
      assert.strictEqual(total?.value, 48)
    })
  )

  it.effect("has the total after what is a discount and no payment", () =>
    Effect.gen(function* () {
      const total = yield* totalOf([
        ...bought,
        ["Total", "48.00"],
        ["Discount", "8.00"],
        ["Total to pay", "40.00"],
        ["Card", "40.00"]
      ])
      assert.strictEqual(total?.value, 40)
    })
  )
})

const withLostLine = (paid: string) =>
  [...bought, ["Check total", "48.00"], ["Total", paid], ["Sale amount", "48.00"]] as const

describe("a tip", () => {
  it.effect("is a part of the total that was paid, also where the card slip repeats the bill", () =>
    Effect.gen(function* () {
      const total = yield* totalOf(
        [...bought, ["Check total", "48.00"], ["Tip", "9.00"], ["Total paid", "57.00"], ["Amount", "48.00"]],
        true
      )
      assert.strictEqual(total?.value, 57)
    })
  )

  it.effect("that is one of several suggestions was not paid", () =>
    Effect.gen(function* () {
      const total = yield* totalOf([
        ...bought,
        ["Check total", "48.00"],
        ["Tip 10%", "4.80"],
        ["Total", "52.80"],
        ["Tip 15%", "7.20"],
        ["Total", "55.20"],
        ["Card", "48.00"]
      ])
      assert.isTrue(total?.value === 48 || (total?.confidence ?? 0) < sureFrom)
    })
  )

  it.effect("is not another one that is suggested below the total", () =>
    Effect.gen(function* () {
      const total = yield* totalOf([
        ...bought,
        ["Check total", "48.00"],
        ["Tip", "9.00"],
        ["Total", "57.00"],
        ["20% = 9.60    Total", "57.60"],
        ["25% = 12.00   Total", "60.00"]
      ])
      assert.strictEqual(total?.value, 57)
    })
  )

  it.effect("was not paid where all are suggestions behind their percentages", () =>
    Effect.gen(function* () {
      const total = yield* totalOf([
        ...bought,
        ["Total", "48.00"],
        ["VISA ****2201", "48.00"],
        ["18% $8.64     Total", "$56.64"],
        ["20% $9.60     Total", "$57.60"],
        ["22% $10.56    Total", "$58.56"]
      ])
      assert.strictEqual(total?.value, 48)
    })
  )

  it.effect("whose line was lost leaves the bill in doubt, although the slip repeats it", () =>
    Effect.gen(function* () {
      const doubted = yield* totalOf(withLostLine("57.00"), true)
      const same = yield* totalOf(withLostLine("48.00"), true)
      assert.isTrue(doubted?.value === 57 || (doubted?.confidence ?? 0) < sureFrom)
      assert.isAtLeast(same?.confidence ?? 0, sureFrom)
    })
  )
})
