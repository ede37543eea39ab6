import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readPrinted } from "../pages/ReadPrinted.ts"

const withFreight = (freight: string) => [
  "Kröger Industriebedarf GmbH                 Rechnung Nr. 4711",
  "Datum 11.04.2025",
  "Pos  Bezeichnung          Menge     Preis      Gesamt EUR",
  "10   Trennscheibe           200      1,15          230,00",
  "20   Schutzhandschuh         48      2,90          139,20",
  "Warenwert                                         369,20",
  `Fracht                                              ${freight}`,
  "Netto                                             379,10",
  "19,00 % MwSt.                                      72,03",
  "Gesamtbetrag                                      451,13"
]

describe("freight between the goods and the net amount", () => {
  it.effect("belongs to the net amount, and explains why the lines do not add up to it", () =>
    Effect.gen(function* () {
      const { found, values } = yield* readPrinted(withFreight("9,90"))
      assert.deepStrictEqual([values["subtotal"], values["totalAmount"]], [379.1, 451.13])
      assert.isAbove(found["lineItems"]?.confidence ?? 0, 0.7)
    })
  )

  it.effect("explains nothing where it is not the difference", () =>
    Effect.gen(function* () {
      const explained = yield* readPrinted(withFreight("9,90"))
      const open = yield* readPrinted(withFreight("8,90"))
      assert.isBelow(open.found["subtotal"]?.confidence ?? 1, explained.found["subtotal"]?.confidence ?? 0)
    })
  )
})

const withDiscount = (label: string) => [
  "Shiftboard Inc.                             Invoice no. 4711",
  "Date March 3, 2025",
  "Description               Qty     Unit price       Amount",
  "Team seats                 14          18.00       252.00",
  "Support                     1          74.00        74.00",
  "Subtotal                                           326.00",
  "LOYAL10 (10% off)                                  -32.60",
  `${label.padEnd(51)}293.40`,
  "Sales Tax (8.25% on 293.40)                         24.21",
  "Total USD                                          317.61"
]

describe("a discount between the sum of the goods and the net amount", () => {
  it.effect.each<[string]>([["Total excluding tax"], ["After promotion"], ["Net amount"]])(
    "is taken off in it: %s",
    ([label]) =>
      Effect.gen(function* () {
        const { values } = yield* readPrinted(withDiscount(label))
        assert.deepStrictEqual([values["subtotal"], values["taxAmount"]], [293.4, 24.21])
      })
  )
})
