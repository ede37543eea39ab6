import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { printed } from "../pages/PrintedLines.ts"
import { readPage } from "../pages/ReadPrinted.ts"

const rowsOf = (lines: ReadonlyArray<string>) =>
  Effect.map(readPage(printed(lines, { recognized: true })), ({ values }) => values["lineItems"])

const quantities = (first: string, second: string) => [
  "Műhely Kft.                          Számla 118",
  "",
  "Megnevezés           Menny.   Egységár      Nettó",
  `Motorolaj 5W-30        ${first.padStart(4)}    2750,00   22000,00`,
  `Munkadíj               ${second.padStart(4)}    6000,00   15000,00`,
  "Nettó összesen                           37000,00"
]

it.effect("amounts may be behind a sign that recognition did not know", () =>
  Effect.gen(function* () {
    const lines = [
      "Zaria Prints Limited",
      "Invoice Number: INV/0771    Invoice Date: 15/09/2025",
      "Kraft pouches       4,000     150.00    600,000.00",
      "Sub-total                              #860,000.00",
      "VAT (7.5%)                              #64,500.00",
      "Grand Total                            #924,500.00"
    ]
    const { values } = yield* readPage(printed(lines, { recognized: true }))
    assert.deepInclude(values, { subtotal: 860_000, taxAmount: 64_500, totalAmount: 924_500 })
  })
)

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
