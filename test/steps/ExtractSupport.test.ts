import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sureFrom } from "../../src/domain/Evidence.ts"
import { fieldOf } from "../../src/steps/extract/Field.ts"
import { extractByRules } from "../../src/steps/extract/Rules.ts"
import { printed } from "./PrintedLines.ts"

const presets = {
  documentType: "invoice.documentType",
  invoiceNumber: "invoice.number",
  invoiceDate: "invoice.date",
  dueDate: "invoice.dueDate",
  subtotal: "invoice.subtotal",
  taxAmount: "invoice.taxAmount",
  totalAmount: "invoice.totalAmount"
} as const

const read = (lines: ReadonlyArray<string>) =>
  extractByRules(printed(lines), {
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
})
