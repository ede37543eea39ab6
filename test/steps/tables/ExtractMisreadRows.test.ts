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

const descriptions = (rows: unknown) =>
  Array.isArray(rows) ? rows.map(({ description }: { description: string }) => description) : []

describe("rows that recognition misread", () => {
  it.effect(
    "have the quantity that price and amount prove where the unit behind it was read as a digit",
    () =>
      Effect.gen(function* () {
        const rows = [
          { description: "Motorolaj 5W-30", quantity: 8, unitPrice: 2750, amount: 22000 },
          { description: "Munkadíj", quantity: 2.5, unitPrice: 6000, amount: 15000 }
        ]
        assert.deepStrictEqual(yield* rowsOf(quantities("81", "2,56")), rows)
        assert.deepStrictEqual(yield* rowsOf(quantities("18", "256")), rows)
      })
  )

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

  it.effect("have litres at the end of a description, a number of one digit behind another", () =>
    Effect.gen(function* () {
      const lines = [
        "Engros ApS                           Faktura 604417",
        "",
        "Varetekst                Antal      Pris      Beløb",
        "Rapsolie 10 1                8    189,75   1.518,00",
        "Level 1                      3    214,00     642,00",
        "Subtotal                                   2.160,00"
      ]
      assert.deepStrictEqual(descriptions(yield* rowsOf(lines)), ["Rapsolie 10 l", "Level 1"])
      assert.deepStrictEqual(descriptions(yield* rowsOf(lines, false)), ["Rapsolie 10 1", "Level 1"])
    })
  )

  it.effect("have litres behind a number with decimals, wherever they are in a description", () =>
    Effect.gen(function* () {
      const lines = [
        "Engros ApS                           Faktura 604417",
        "",
        "Varetekst                Antal      Pris      Beløb",
        "Sekt 0,75 1 (gæret)          8    189,75   1.518,00",
        "Riesling 2022, 0,75 1        3    214,00     642,00",
        "Subtotal                                   2.160,00"
      ]
      const litres = ["Sekt 0,75 l (gæret)", "Riesling 2022, 0,75 l"]
      assert.deepStrictEqual(descriptions(yield* rowsOf(lines)), litres)
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
