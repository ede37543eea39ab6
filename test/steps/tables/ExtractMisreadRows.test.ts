import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { printed } from "../pages/PrintedLines.ts"

const fields = [
  fieldOf("subtotal", { preset: "invoice.subtotal" }),
  fieldOf("lineItems", { preset: "invoice.lineItems" })
]
const relations = ["sum(lineItems.amount) = subtotal"]

const rowsOf = (lines: ReadonlyArray<string>, recognised = true) =>
  Effect.map(
    extractByRules(printed(lines, { recognised }), { fields, relations }),
    ({ lineItems }) => lineItems?.value
  )

const quantities = (first: string, second: string) => [
  "Műhely Kft.                          Számla 118",
  "",
  "Megnevezés           Menny.   Egységár      Nettó",
  `Motorolaj 5W-30        ${first.padStart(4)}    2750,00   22000,00`,
  `Munkadíj               ${second.padStart(4)}    6000,00   15000,00`,
  "Nettó összesen                           37000,00"
]

describe("rows that recognition misread", () => {
  it.effect("keep a quantity that two figures contradict", () =>
    Effect.gen(function* () {
      const rows = yield* rowsOf(quantities("93", "2,5"))
      assert.deepInclude(rows, {
        description: "Motorolaj 5W-30",
        quantity: 93,
        unitPrice: 2750,
        amount: 22000
      })
    })
  )

  it.effect("have their quantities before their prices where the heading of the quantities was lost", () =>
    Effect.gen(function* () {
      const rows = [
        { description: "Комутатор", quantity: 2, unitPrice: 412.5, amount: 825 },
        { description: "Кабел", quantity: 3, unitPrice: 168, amount: 504 }
      ]
      const lines = [
        "Родопи Мрежи ООД           ФАКТУРА 1874",
        "",
        "Наименование    Мярка              Ед. цена   Стойност",
        "Комутатор       бр.       2,00       412,50     825,00",
        "Кабел           кашон     3,00       168,00     504,00",
        "Данъчна основа                                 1329,00"
      ]
      assert.deepStrictEqual(yield* rowsOf(lines), rows)
    })
  )
})
