import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { readByRules } from "../../../src/extraction/rules/Rules.ts"
import { printed } from "../pages/PrintedLines.ts"

const fields = (["subtotal", "taxAmount", "totalAmount"] as const).map((name) =>
  fieldOf(name, { preset: `invoice.${name}` })
)

const readTax = (label: string, tax: string, total: string) =>
  Effect.map(
    readByRules(
      printed([
        "Harbour Joinery Ltd",
        "Invoice HJ-2031           Date 14 May 2025",
        "Subtotal                       4,350.00",
        `${label}                       ${tax}`,
        `Total                          ${total}`
      ]),
      { fields, relations: ["subtotal + taxAmount = totalAmount"] }
    ),
    ({ found, warnings }) => ({ tax: found["taxAmount"], warnings })
  )

describe("a tax", () => {
  it.effect("that is more than its printed rate is never sure, and a warning says so", () =>
    Effect.gen(function* () {
      const { tax, warnings } = yield* readTax("VAT 20%", "890.00", "5,240.00")
      assert.strictEqual(tax?.value, 890)
      assert.isBelow(tax?.confidence ?? 1, 0.8)
      assert.deepStrictEqual(warnings, [
        "taxAmount 890 is more than the printed 20 % of 4350: check the amounts."
      ])
    })
  )

  it.effect("may be less, because some goods may be free of tax", () =>
    Effect.gen(function* () {
      for (const [tax, total] of [
        ["870.00", "5,220.00"],
        ["600.00", "4,950.00"]
      ] as const) {
        const read = yield* readTax("VAT 20%", tax, total)
        assert.deepStrictEqual(read.warnings, [])
        assert.isAtLeast(read.tax?.confidence ?? 0, 0.9)
      }
    })
  )

  it.effect("of several rates in a row is that of none of them", () =>
    Effect.gen(function* () {
      const { warnings } = yield* readTax("VAT 7% and 19%", "890.00", "5,240.00")
      assert.deepStrictEqual(warnings, [])
    })
  )
})
