import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { readByRules } from "../../../src/extraction/rules/Rules.ts"
import { invoiceFields, invoiceRelations as relations } from "../../fixtures/InvoiceFields.ts"
import { printed } from "../pages/PrintedLines.ts"

const fields = Object.entries(invoiceFields).map(([name, field]) => fieldOf(name, field))

const read = (lines: ReadonlyArray<string>) => readByRules(printed(lines), { fields, relations })

describe("a total that is rounded", () => {
  it.effect("adds up with a tax that is printed far below it, but for the rounding", () =>
    Effect.gen(function* () {
      const { found, violations } = yield* read([
        "Pinewood Cartons Pvt Ltd                 Tax Invoice No. PC/118",
        "Dated 17-Aug-2026",
        "",
        "Description                    Quantity       Rate       Amount",
        "Carton 5-ply                        100      38.60     3,860.00",
        "Tape brown                           64      31.25     2,000.00",
        "                                                       5,860.00",
        "Output CGST                                              527.40",
        "Output SGST                                              527.40",
        "Round Off                                                  0.20",
        "Total                                                  6,915.00",
        "Amount chargeable (in words)",
        "INR Six thousand nine hundred fifteen only",
        "",
        "Taxable Value                      CGST       SGST    Total Tax",
        "     5,860.00                    527.40     527.40     1,054.80"
      ])
      assert.strictEqual(found["taxAmount"]?.value, 1054.8)
      assert.strictEqual(found["totalAmount"]?.value, 6915)
      assert.deepStrictEqual(violations, [])
    })
  )
})
