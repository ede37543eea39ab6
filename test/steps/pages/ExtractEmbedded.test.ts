import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { StepContext } from "../../../dsl/model/StepKind.ts"
import { DocumentReader } from "../../../src/document/DocumentReader.ts"
import { Llm } from "../../../src/providers/llm/Llm.ts"
import { LocalDocuments } from "../../../src/providers/documents/LocalDocuments.ts"
import { extract } from "../../../src/steps/Extract.ts"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { doubts, equationsOf } from "../../../src/steps/extract/model/Doubts.ts"
import { linesAt, drawPdf } from "../../document/DrawPdf.ts"
import { cii, type EInvoiceData, eInvoiceOf, syntaxes, ubl, withFiles } from "../../fixtures/EInvoices.ts"
import { exampleInvoice, makeInvoice } from "../../fixtures/Invoices.ts"
import { invoiceFields } from "../../fixtures/InvoiceFields.ts"
import { sharedReader } from "../../support/SharedReader.ts"

const context: StepContext = {
  executionId: "e",
  path: "fields",
  environment: "test",
  progress: () => Effect.void
}

const fields = {
  ...invoiceFields,
  amountDue: { preset: "invoice.amountDue" },
  buyer: { type: "string", term: "BT-44" },
  orderNumber: { type: "identifier", term: "BT-13" },
  iban: { preset: "invoice.iban" },
  vatId: { preset: "invoice.vendorVatId" }
} as const

const relations = ["subtotal + taxAmount = totalAmount"]
const printed = Effect.promise(() => makeInvoice(exampleInvoice))

const extractFrom = Effect.fnUntraced(function* (bytes: Uint8Array | string) {
  const reader = yield* DocumentReader
  const document = yield* reader.read(Buffer.from(bytes), { mimeType: "application/octet-stream" })
  return yield* extract.run({ document, using: ["embedded", "rules"], fields, relations }, context)
})

const carrying = (pdf: Uint8Array, content: string, name = "factur-x.xml") =>
  Effect.promise(() => withFiles(pdf, [{ name, content }]))

/** A page with nothing that could be a value of an invoice. */
const letter = Effect.promise(() =>
  drawPdf([{ texts: linesAt(60, 100, ["Please find our invoice attached.", "Kind regards"]) }])
)

const values = (data: EInvoiceData) => ({
  documentType: data.typeCode === "381" ? "credit-note" : "invoice",
  invoiceNumber: data.number,
  invoiceDate: data.date,
  dueDate: data.dueDate,
  vendorName: data.seller,
  currency: data.currency,
  subtotal: data.taxBasis,
  taxAmount: data.tax,
  totalAmount: data.total,
  buyer: data.buyer,
  orderNumber: data.order,
  iban: data.iban,
  vatId: data.vatId
})

const minus = (value: number): number => -value

layer(Layer.mergeAll(sharedReader, LocalDocuments.layer, Llm.layerNone), {
  excludeTestServices: true
})("extract from embedded data", (it) => {
  it.effect.each([...syntaxes])("reads $syntax $profile in a PDF, and rules read the rest", (way) =>
    Effect.gen(function* () {
      const { bytes, expected } = yield* printed
      const data = eInvoiceOf(expected)
      const output = yield* extractFrom(yield* carrying(bytes, way.write(data), way.file))
      assert.deepStrictEqual(output.warnings, [])
      const { iban: _, ...sure } = values(data)
      assert.deepInclude(output.values, { ...sure, lineItems: expected.lineItems })
      const without =
        way.profile === "MINIMUM" ? ["dueDate", "lineItems"] : way.profile === "BASIC WL" ? ["lineItems"] : []
      for (const [name, evidence] of Object.entries(output.fields)) {
        if (name === "iban" && way.profile === "MINIMUM") continue
        const byData = !without.includes(name)
        assert.strictEqual(evidence.by, byData ? "embedded" : "rules", name)
        assert.strictEqual(evidence.attachment, byData ? way.file : undefined, name)
        if (byData) assert.match(evidence.path ?? "", /^\/(?:CrossIndustry\w+|Invoice)\/\w/u)
      }
    })
  )

  it.effect("says where the page shows a value too", () =>
    Effect.gen(function* () {
      const { bytes, expected } = yield* printed
      const alone = yield* makeRules(bytes)
      const both = yield* extractFrom(yield* carrying(bytes, cii(eInvoiceOf(expected))))
      for (const name of ["invoiceNumber", "invoiceDate", "dueDate", "subtotal", "totalAmount"]) {
        assert.strictEqual(both.fields[name]?.page, 1, name)
        assert.deepStrictEqual(both.fields[name]?.bbox, alone.fields[name]?.bbox, name)
      }
      assert.deepInclude(both.fields["totalAmount"], {
        status: "grounded",
        confidence: 0.99,
        path: "/CrossIndustryInvoice/SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement/SpecifiedTradeSettlementHeaderMonetarySummation/GrandTotalAmount"
      })
      assert.match(both.fields["lineItems"]?.path ?? "", /\/IncludedSupplyChainTradeLineItem$/u)
      assert.isUndefined(both.fields["iban"]?.bbox)
    })
  )

  it.effect("claims no place for line items of which the page shows a figure at most", () =>
    Effect.gen(function* () {
      const { bytes, expected } = yield* printed
      const data = eInvoiceOf(expected)
      const lines = data.lines.map((line, index) => ({
        ...line,
        description: `Hawser ${index}`,
        unitPrice: 7111,
        amount: 7111
      }))
      const both = yield* extractFrom(yield* carrying(bytes, cii({ ...data, lines })))
      assert.strictEqual(both.fields["lineItems"]?.by, "embedded")
      assert.isUndefined(both.fields["lineItems"]?.page)
      assert.isUndefined(both.fields["lineItems"]?.bbox)
      const same = yield* extractFrom(yield* carrying(bytes, cii(data)))
      assert.strictEqual(same.fields["lineItems"]?.page, 1)
    })
  )

  it.effect("warns where the page surely shows something else, and is less sure of the data", () =>
    Effect.gen(function* () {
      const { bytes, expected } = yield* printed
      const data = eInvoiceOf(expected)
      const other: EInvoiceData = {
        ...data,
        number: "R-1",
        date: "2025-01-31",
        currency: "CHF",
        seller: "Somebody Else Inc",
        total: 1000
      }
      const output = yield* extractFrom(yield* carrying(bytes, ubl(other), "xrechnung.xml"))
      const differ = ["invoiceNumber", "invoiceDate", "vendorName", "currency", "totalAmount", "amountDue"]
      assert.deepStrictEqual(
        output.warnings.map((warning) => warning.split(":")[0]),
        differ
      )
      assert.include(
        output.warnings[4],
        "the invoice data says 1000 (xrechnung.xml, /Invoice/LegalMonetaryTotal/"
      )
      assert.include(output.warnings[4], `but page 1 shows ${expected.totalAmount}`)
      assert.strictEqual(output.values["totalAmount"], 1000)
      for (const name of differ) assert.isBelow(output.fields[name]?.confidence ?? 1, 0.7, name)
      assert.isAbove(output.fields["taxAmount"]?.confidence ?? 0, 0.9)
    })
  )

  it.effect("does not warn of another spelling of the seller, nor of what a page does not show", () =>
    Effect.gen(function* () {
      const { bytes, expected } = yield* printed
      const data = { ...eInvoiceOf(expected), seller: `${expected.vendorName.toUpperCase()}, Inc.` }
      const output = yield* extractFrom(yield* carrying(bytes, cii(data)))
      assert.deepStrictEqual(output.warnings, [])
      const unprinted = yield* extractFrom(yield* carrying(yield* letter, cii(data)))
      assert.deepStrictEqual(unprinted.warnings, [])
      assert.deepInclude(unprinted.values, values(data))
      assert.isUndefined(unprinted.fields["totalAmount"]?.page)
      assert.strictEqual(unprinted.fields["totalAmount"]?.text, data.total.toFixed(2))
    })
  )

  it.effect(
    "reads electronic invoices that are no PDF, credit notes, allowances and prices per hundred",
    () =>
      Effect.gen(function* () {
        const base = eInvoiceOf((yield* printed).expected)
        const data: EInvoiceData = {
          ...base,
          typeCode: "381",
          bookTax: { currency: "EUR", amount: 12 },
          lines: [{ description: "Screws <M4>", quantity: 300, unitPrice: 0.0425, amount: 12.75, per: 100 }],
          allowance: 2,
          charge: 0.5,
          lineTotal: 12.75,
          taxBasis: 11.25,
          tax: 2.14,
          total: 13.39,
          paid: 3.39
        }
        for (const write of [cii, ubl]) {
          const output = yield* extractFrom(write(data))
          assert.deepStrictEqual(output.warnings, [])
          assert.deepInclude(output.values, { ...values(data), amountDue: 10 })
          assert.deepStrictEqual(output.values["lineItems"], [
            { description: "Screws <M4>", quantity: 300, unitPrice: 0.0425, amount: 12.75 }
          ])
          for (const evidence of Object.values(output.fields)) {
            assert.strictEqual(evidence.by, "embedded")
            assert.isUndefined(evidence.attachment)
          }
        }
      })
  )

  it.effect("gives the amounts of a credit note without the minus that its data has", () =>
    Effect.gen(function* () {
      const base = eInvoiceOf((yield* printed).expected)
      const data: EInvoiceData = {
        ...base,
        typeCode: "381",
        lineTotal: minus(base.lineTotal),
        taxBasis: minus(base.taxBasis),
        tax: minus(base.tax),
        total: minus(base.total)
      }
      assert.strictEqual((yield* extractFrom(cii(data))).values["totalAmount"], base.total)
      const invoice = { ...data, typeCode: "380" }
      assert.strictEqual((yield* extractFrom(cii(invoice))).values["totalAmount"], -base.total)
    })
  )

  it.effect("gives accounts and VAT numbers in the form of their types, and leaves out what is none", () =>
    Effect.gen(function* () {
      const data = eInvoiceOf((yield* printed).expected)
      const spaced = { ...data, iban: "de02 1203 0000 0000 2020 51", vatId: "FR 68 625.606.595" }
      const { values } = yield* extractFrom(ubl(spaced))
      assert.deepInclude(values, { iban: "DE02120300000000202051", vatId: "FR68625606595" })
      const national = yield* extractFrom(ubl({ ...data, iban: "12345678" }))
      assert.strictEqual(national.values["iban"], null)
    })
  )

  it.effect("leaves values out that are none, and lets rules look for them", () =>
    Effect.gen(function* () {
      const { bytes, expected } = yield* printed
      const xml = cii(eInvoiceOf(expected))
        .replace(expected.invoiceDate.replaceAll("-", ""), "20261399")
        .replace(/(?<=<ram:GrandTotalAmount>)[^<]+/u, "1.234,56 EUR")
        .replace(/(?<=<ram:InvoiceCurrencyCode>)[^<]+/u, "dollars")
      const output = yield* extractFrom(yield* carrying(bytes, xml))
      for (const name of ["invoiceDate", "totalAmount", "currency"] as const) {
        assert.strictEqual(output.fields[name]?.by, "rules", name)
        assert.strictEqual(output.values[name], expected[name], name)
      }
      assert.strictEqual(output.fields["taxAmount"]?.by, "embedded")
    })
  )

  it.effect(
    "is in no doubt where allowances keep the lines from adding up, but where the page disagrees",
    () =>
      Effect.gen(function* () {
        const { bytes, expected } = yield* printed
        const data = { ...eInvoiceOf(expected), lineTotal: 700, allowance: 700 - expected.subtotal }
        const names = ["subtotal", "lineItems", "taxAmount", "totalAmount"] as const
        const asked = names.map((name) => fieldOf(name, fields[name]))
        const sums = equationsOf(["sum(lineItems.amount) = subtotal", ...relations])
        const [first, ...others] = data.lines
        const lines = first === undefined ? [] : [{ ...first, amount: first.amount + 1 }, ...others]
        const sure = yield* extractFrom(yield* carrying(bytes, cii({ ...data, lines })))
        assert.deepStrictEqual(doubts(asked, sure.fields, sums), [])
        const denied = yield* extractFrom(yield* carrying(bytes, cii({ ...data, total: 1000 })))
        assert.deepStrictEqual(
          doubts(asked, denied.fields, sums).map(({ name }) => name),
          ["totalAmount"]
        )
      })
  )

  it.effect("says which attached invoice could not be read", () =>
    Effect.gen(function* () {
      const { bytes, expected } = yield* printed
      const output = yield* extractFrom(yield* carrying(bytes, cii(eInvoiceOf(expected)).slice(0, 900)))
      assert.deepStrictEqual(output.warnings, [
        "The attached file factur-x.xml was not read: The XML is incomplete."
      ])
      assert.strictEqual(output.values["totalAmount"], expected.totalAmount)
      assert.strictEqual(output.fields["totalAmount"]?.by, "rules")
    })
  )
})

/** What rules alone find. */
const makeRules = Effect.fnUntraced(function* (bytes: Uint8Array) {
  const reader = yield* DocumentReader
  const document = yield* reader.read(bytes, { mimeType: "application/pdf" })
  return yield* extract.run({ document, using: ["rules"], fields, relations }, context)
})
