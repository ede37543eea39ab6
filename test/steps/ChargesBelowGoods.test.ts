import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readPrinted } from "./ReadPrinted.ts"

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
