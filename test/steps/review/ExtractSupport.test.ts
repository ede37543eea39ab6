import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sureFrom } from "../../../src/domain/Evidence.ts"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { printed } from "../pages/PrintedLines.ts"

const presets = {
  documentType: "invoice.documentType",
  invoiceNumber: "invoice.number",
  invoiceDate: "invoice.date",
  dueDate: "invoice.dueDate",
  subtotal: "invoice.subtotal",
  taxAmount: "invoice.taxAmount",
  totalAmount: "invoice.totalAmount"
} as const

const read = (lines: ReadonlyArray<string>, options: Parameters<typeof printed>[1] = {}) =>
  extractByRules(printed(lines, options), {
    fields: Object.entries(presets).map(([name, preset]) => fieldOf(name, { preset })),
    relations: ["subtotal + taxAmount = totalAmount"]
  })

const invoice = [
  "INVOICE",
  "Invoice Number: 2025-118",
  "Invoice Date: 14 March 2025",
  "Due Date: 13 April 2025",
  "Widgets   10   120.00   1,200.00"
]

const numbered = (number: string) => [
  ...invoice.slice(0, 1),
  `Invoice Number: ${number}`,
  ...invoice.slice(2),
  "Subtotal 1,200.00",
  "VAT 20% 240.00",
  "Total 1,440.00"
]

describe("support", () => {
  it.effect("is sure of amounts with labels of their own and the rate between them", () =>
    Effect.gen(function* () {
      const found = yield* read([...invoice, "Subtotal 1,200.00", "VAT 20% 240.00", "Total 1,440.00"])
      for (const name of ["invoiceNumber", "subtotal", "taxAmount", "totalAmount"])
        assert.isAtLeast(found[name]?.confidence ?? 0, sureFrom, name)
    })
  )

  it.effect("is not sure of a tax that only a sum shows: the balance of the last bill adds up as well", () =>
    Effect.gen(function* () {
      const found = yield* read([
        "WATER BILL",
        "Bill No. 4410-88812-3",
        "Bill Date Mar 11, 2025",
        "Balance forward 7.50",
        "Base charge 38.00",
        "Water 9 CCF 28.44",
        "Sewer 13.00",
        "Current charges 79.44",
        "AMOUNT DUE 86.94"
      ])
      assert.isBelow(found["taxAmount"]?.confidence ?? 0, sureFrom)
    })
  )

  it.effect("is not sure of amounts with a minus where nothing says that it is a credit note", () =>
    Effect.gen(function* () {
      const found = yield* read([...invoice, "Subtotal -1,200.00", "VAT 20% -240.00", "Total -1,440.00"])
      for (const name of ["subtotal", "taxAmount", "totalAmount"])
        assert.isBelow(found[name]?.confidence ?? 0, sureFrom, name)
    })
  )

  it.effect("is not sure of a number if another one has the same label", () =>
    Effect.gen(function* () {
      const found = yield* read([...invoice.slice(0, 2), "Invoice Number: 77-4410", ...invoice.slice(2)])
      assert.isBelow(found["invoiceNumber"]?.confidence ?? 0, sureFrom)
    })
  )

  it.effect(
    "is sure of a number right behind a word that may mean something else, if no other number is near it",
    () =>
      Effect.gen(function* () {
        const found = yield* read([
          "Invoice 2025-118",
          "Customer 20117    Order 88-1204",
          ...invoice.slice(2),
          "Subtotal 1,200.00",
          "VAT 20% 240.00",
          "Total 1,440.00"
        ])
        assert.strictEqual(found["invoiceNumber"]?.value, "2025-118")
        assert.isAtLeast(found["invoiceNumber"]?.confidence ?? 0, sureFrom)
      })
  )

  it.effect("is not sure of a number behind capital letters that may be its beginning", () =>
    Effect.gen(function* () {
      const found = yield* read([
        ...invoice.slice(0, 1),
        "Invoice Number: TRF 00871",
        ...invoice.slice(2),
        "Subtotal 1,200.00",
        "VAT 20% 240.00",
        "Total 1,440.00"
      ])
      const { confidence, value } = found["invoiceNumber"] ?? {}
      assert.isTrue(value === "TRF 00871" || (confidence ?? 1) < sureFrom, String(value))
    })
  )

  it.effect(
    "is sure of a tax that a printed rate leads to, and with it to the greatest amount of the page",
    () =>
      Effect.gen(function* () {
        const found = yield* read([
          ...invoice.slice(0, 4),
          "Widgets   1,200.00",
          "VAT 20%   240.00",
          "1,440.00"
        ])
        assert.strictEqual(found["taxAmount"]?.value, 240)
        assert.isAtLeast(found["taxAmount"]?.confidence ?? 0, sureFrom)
      })
  )

  it.effect(
    "is not sure of sums of a tax breakdown's rows: each is one of a base and its tax, none the greatest",
    () =>
      Effect.gen(function* () {
        const found = yield* read([
          ...invoice,
          "20%   1,000.00   200.00   1,200.00",
          "10%   2,000.00   200.00   2,200.00",
          "Total 3,400.00"
        ])
        for (const name of ["subtotal", "taxAmount"])
          assert.isBelow(found[name]?.confidence ?? 0, sureFrom, name)
      })
  )

  it.effect("is not sure of a recognized number that mixes letters and figures, which look alike", () =>
    Effect.gen(function* () {
      for (const [number, isSure] of [
        ["FOC8D21A-0007", false],
        ["RE202S/340383", false],
        ["C.20250088", false],
        ["RE2025/340383", true]
      ] as const) {
        const { confidence = 0 } =
          (yield* read(numbered(number), { recognized: true }))["invoiceNumber"] ?? {}
        assert.strictEqual(confidence >= sureFrom, isSure, number)
      }
      const { confidence = 0 } = (yield* read(numbered("FOC8D21A-0007")))["invoiceNumber"] ?? {}
      assert.isAtLeast(confidence, sureFrom)
    })
  )

  it.effect("is not sure of a total in another currency than the document's", () =>
    Effect.gen(function* () {
      const found = yield* extractByRules(
        printed([
          "APOTHEKE ZUM KREUZ",
          "8001 Zürich",
          "14.03.2026 10:12",
          "Ibuprofen   CHF 21.35",
          "Pflaster   CHF 20.00",
          "Betrag   CHF 41.35",
          "Total   EUR 44.95"
        ]),
        {
          fields: Object.entries({
            date: "receipt.date",
            totalAmount: "receipt.totalAmount",
            currency: "invoice.currency"
          } as const).map(([name, preset]) => fieldOf(name, { preset })),
          relations: []
        }
      )
      const { confidence = 0, value } = found["totalAmount"] ?? {}
      assert.strictEqual(found["currency"]?.value, "CHF")
      assert.isTrue(value === 41.35 || confidence < sureFrom, `${String(value)} ${confidence}`)
    })
  )
})
