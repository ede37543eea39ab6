import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { FieldDefinition } from "../../../src/extraction/fields/FieldDefinition.ts"
import { sureFrom } from "../../../src/domain/Evidence.ts"
import { LocalDocuments } from "../../../src/providers/documents/LocalDocuments.ts"
import { Llm } from "../../../src/providers/llm/Llm.ts"
import { extract } from "../../../src/steps/Extract.ts"
import { invoiceFields, invoiceRelations } from "../../fixtures/InvoiceFields.ts"
import { printedPage } from "../../fixtures/kinds/PrintedPage.ts"
import { sharedReader } from "../../support/SharedReader.ts"
import { context } from "../pages/Pages.ts"

const receiptFields: Readonly<Record<string, FieldDefinition>> = {
  merchantName: { preset: "receipt.merchantName" },
  date: { preset: "receipt.date" },
  totalAmount: { preset: "receipt.totalAmount" },
  currency: { preset: "invoice.currency" }
}

const roll = (lines: ReadonlyArray<string>) => printedPage(lines.join("\n"), { width: 227, height: 420 })

const asInvoice = (document: ReturnType<typeof roll>) =>
  extract.run({ document, using: ["rules"], fields: invoiceFields, relations: invoiceRelations }, context)

/** The fields of a result that are sure, without the currency and the kind, which are those of the document. */
const sureOf = ({ fields }: Effect.Success<ReturnType<typeof asInvoice>>): ReadonlyArray<string> =>
  Object.entries(fields).flatMap(([name, { confidence }]) =>
    confidence >= sureFrom && name !== "currency" && name !== "documentType" ? [name] : []
  )

const kiosk = [
  "Kiosk am Seeufer",
  "6441 Seedorf",
  "CHE-000.044.170 MWST",
  "Zeitschrift             9.80",
  "Tageskarte Bus         13.00",
  "Mineral 5 dl            5.80",
  "TOTAL CHF              28.60",
  "TOTAL EUR              30.43",
  "Kurs 0.94",
  "Bar CHF                50.00",
  "Zurück CHF             21.40",
  "MWST 2.6%    15.60      0.40",
  "MWST 8.1%    13.00      0.97",
  "22.01.2026   06:58"
]

layer(Layer.mergeAll(sharedReader, LocalDocuments.layer, Llm.layerNone), { excludeTestServices: true })(
  "receipts and invoices",
  (it) => {
    it.effect("a receipt that is read as an invoice has a warning, and nothing of it is sure", () =>
      Effect.gen(function* () {
        const found = yield* asInvoice(roll(kiosk))
        assert.match(found.warnings.join(" "), /looks like a receipt .*not like an invoice/u)
        assert.deepStrictEqual(sureOf(found), [])
      })
    )

    it.effect("a receipt that calls itself an invoice is one: what relations prove stays sure", () =>
      Effect.gen(function* () {
        const found = yield* asInvoice(
          roll([
            "HARBOUR HARDWARE",
            "12 Quay Street, Picton",
            "GST No 118-220-771",
            "TAX INVOICE",
            "Date: 14 May 2026  10:42",
            "Rope 10 m              14.00",
            "Shackle                26.00",
            "Subtotal               40.00",
            "GST 15%                 6.00",
            "TOTAL                  46.00",
            "EFTPOS                 46.00"
          ])
        )
        assert.notInclude(found.warnings.join(" "), "looks like")
        assert.includeMembers([...sureOf(found)], ["subtotal", "taxAmount", "totalAmount"])
      })
    )

    it.effect("an invoice that is read as a receipt has a warning, and nothing of it is sure", () =>
      Effect.gen(function* () {
        const document = printedPage(
          [
            "Hollis & Grange LLC                         # INVOICE",
            "Foundry Row, Suite 9",
            "Invoice number: 2026-118              Invoice date: 14 May 2026",
            "Bill to: Avery Outfitters LLC         Due date: 13 June 2026",
            "Description            Qty      Unit price      Amount",
            "Repair                   2          100.00      200.00",
            "Subtotal                                        200.00",
            "Tax 10%                                          20.00",
            "Amount due                                     $220.00"
          ].join("\n"),
          { width: 595, height: 842 }
        )
        const found = yield* extract.run({ document, using: ["rules"], fields: receiptFields }, context)
        assert.match(found.warnings.join(" "), /looks like an invoice .*not like a receipt/u)
        assert.deepStrictEqual(sureOf(found), [])
      })
    )
  }
)
