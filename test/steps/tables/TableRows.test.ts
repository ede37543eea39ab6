import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { above, item } from "../pages/GardenInvoice.ts"
import { readPrinted } from "../pages/ReadPrinted.ts"

describe("what is around the rows of a table", () => {
  it.effect("is no row: a rounding of 0.00 below the sum", () =>
    Effect.gen(function* () {
      const { values } = yield* readPrinted([
        ...above,
        "Tjänst                    Månad          Kronor",
        "Mobilt bredband           mars           239,20",
        "Samtal utanför EU                         27,60",
        "                  Summa exkl. moms       266,80",
        "                  Moms 25 %               66,70",
        "                  Öresavrundning           0,00",
        "                  Totalt att betala      333,50"
      ])
      assert.deepStrictEqual(values["lineItems"], [
        item("Mobilt bredband", 239.2),
        item("Samtal utanför EU", 27.6)
      ])
    })
  )

  it.effect("counts in groups set apart by a space, with a unit behind them", () =>
    Effect.gen(function* () {
      const { values } = yield* readPrinted([
        ...above,
        "Description              Qty        Price      Amount",
        "Remove shingles          1 850 m²    1.35    2,497.50",
        "Chimney flashing         1         640.00      640.00",
        "Subtotal                                     3,137.50"
      ])
      assert.deepStrictEqual(values["lineItems"], [
        { description: "Remove shingles", quantity: 1850, unitPrice: 1.35, amount: 2497.5 },
        { description: "Chimney flashing", quantity: 1, unitPrice: 640, amount: 640 }
      ])
    })
  )
})

describe("a tax in two halves", () => {
  it.effect("is their sum, also where the total is rounded", () =>
    Effect.gen(function* () {
      const { values } = yield* readPrinted([
        "Neelganga Pumps Pvt. Ltd.             TAX INVOICE",
        "",
        "Description               Qty       Rate       Amount",
        "Submersible pump            4  42,300.00   169,200.00",
        "Control panel               4   6,885.00    27,540.00",
        "                   Taxable Value           196,740.00",
        "                   CGST 9%                  17,706.60",
        "                   SGST 9%                  17,706.60",
        "                   Round Off                 (-)0.20",
        "                   Grand Total         INR 232,153.00"
      ])
      assert.deepInclude(values, { subtotal: 196_740, taxAmount: 35_413.2, totalAmount: 232_153 })
    })
  )
})

describe("lines whose prices contain their tax", () => {
  it.effect("add up to the total; the net amount is what the tax leaves of it, and nothing is violated", () =>
    Effect.gen(function* () {
      const { found, values } = yield* readPrinted([
        ...above,
        "Description                                   Amount",
        "Strip out old tiles                          $520.00",
        "Waterproofing                                $580.00",
        "Total to pay: $1,100.00",
        "Total includes GST of $100.00"
      ])
      assert.deepStrictEqual(
        [values["subtotal"], values["taxAmount"], values["totalAmount"]],
        [1000, 100, 1100]
      )
      assert.isAbove(found["lineItems"]?.confidence ?? 0, 0.7)
    })
  )
})
