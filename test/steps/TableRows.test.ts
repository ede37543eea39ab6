import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { above, item } from "./GardenInvoice.ts"
import { readPrinted } from "./ReadPrinted.ts"

describe("what is around the rows of a table", () => {
  it.effect("is no row: a rounding of 0.00 below the sum; a month next to an amount is no date", () =>
    Effect.gen(function* () {
      const { values } = yield* readPrinted([
        ...above,
        "Tjänst                    Månad          Kronor",
        "Mobilt bredband           mars           239,20",
        "Samtal utanför EU         feb             27,60",
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

  it.effect("is no row: numbers of columns with how they follow, and signatures next to the sum", () =>
    Effect.gen(function* () {
      const { values } = yield* readPrinted([
        ...above,
        "Nr   Denumirea produselor     Cantitatea    Pret unitar      Valoarea     Valoarea TVA",
        "0    1                        2             3                4 (2x3)      5",
        "1    Motorina                 3.200,00           5,8824      18.823,68        3.576,50",
        "2    Serviciu livrare             1,00         252,1000         252,10           47,90",
        "Semnatura                     Expeditie CJ 44     Total      19.075,78        3.624,40"
      ])
      assert.deepStrictEqual(values["lineItems"], [
        { description: "Motorina", quantity: 3200, unitPrice: 5.8824, amount: 18823.68 },
        { description: "Serviciu livrare", quantity: 1, unitPrice: 252.1, amount: 252.1 }
      ])
    })
  )
})

describe("groups of rows with a sum each", () => {
  it.effect("belong to one table, which is not sure where a discount below hides what all add up to", () =>
    Effect.gen(function* () {
      const { found, values } = yield* readPrinted([
        ...above,
        "Description            Qty     Price    Amount",
        "Hammer                   4     12.50     50.00",
        "Chisel set               2     30.00     60.00",
        "                 Subtotal workshop      110.00",
        "Spade                    2     25.00     50.00",
        "Fork                     3     20.00     60.00",
        "                 Subtotal garden        110.00",
        "                 Loyalty discount 5%    -11.00",
        "Subtotal                                209.00",
        "VAT 20%                                  41.80",
        "Total                                   250.80"
      ])
      const items = values["lineItems"]
      assert.strictEqual(Array.isArray(items) ? items.length : 0, 4)
      assert.isBelow(found["lineItems"]?.confidence ?? 1, 0.9)
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
