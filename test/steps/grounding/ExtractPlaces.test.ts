import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { DocumentReader } from "../../../src/document/DocumentReader.ts"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { drawPdf, type Drawn } from "../../document/DrawPdf.ts"
import { sharedReader } from "../../support/SharedReader.ts"

const presets = {
  invoiceNumber: "invoice.number",
  invoiceDate: "invoice.date",
  dueDate: "invoice.dueDate",
  vendorName: "invoice.vendorName",
  subtotal: "invoice.subtotal",
  taxAmount: "invoice.taxAmount",
  totalAmount: "invoice.totalAmount",
  lineItems: "invoice.lineItems"
} as const
const fields = Object.entries(presets).map(([name, preset]) => fieldOf(name, { preset }))
const relations = ["subtotal + taxAmount = totalAmount", "sum(lineItems.amount) = subtotal"]

/** A row of texts, each at its place from the left. */
const row = (y: number, ...cells: ReadonlyArray<readonly [number, string]>): ReadonlyArray<Drawn> =>
  cells.map(([x, text]) => ({ x, y, text, size: 10 }))

const valuesOf = Effect.fnUntraced(function* (...rows: ReadonlyArray<ReadonlyArray<Drawn>>) {
  const reader = yield* DocumentReader
  const bytes = yield* Effect.promise(() => drawPdf([{ texts: rows.flat() }]))
  const document = yield* reader.read(bytes, { mimeType: "application/pdf" })
  const found = yield* extractByRules(document, { fields, relations })
  return Object.fromEntries(Object.entries(found).map(([name, { value }]) => [name, value]))
})

layer(sharedReader, { excludeTestServices: true })("where values are", (it) => {
  it.effect("next to each other in the last row of the table", () =>
    Effect.gen(function* () {
      const values = yield* valuesOf(
        row(60, [50, "Faktura nr 12/2025"]),
        row(100, [50, "Nazwa"], [200, "Liczba"], [260, "Netto"], [330, "VAT"], [400, "Brutto"]),
        row(120, [50, "Katalog"], [200, "1"], [260, "2400,00"], [330, "552,00"], [400, "2952,00"]),
        row(140, [50, "Strona"], [200, "16"], [260, "880,00"], [330, "202,40"], [400, "1082,40"]),
        row(160, [50, "Razem"], [260, "3280,00"], [330, "754,40"], [400, "4034,40"])
      )
      assert.include(values, { subtotal: 3280, taxAmount: 754.4, totalAmount: 4034.4 })
    })
  )

  it.effect("as amounts, where the only column of money is headed Price", () =>
    Effect.gen(function* () {
      const values = yield* valuesOf(
        row(100, [50, "Item"], [450, "Price"]),
        row(120, [50, "Website design"], [450, "$300.00"]),
        row(140, [50, "Hosting (3 months)"], [450, "$75.00"]),
        row(170, [400, "Total:"], [450, "$375.00"])
      )
      assert.deepInclude(values, {
        totalAmount: 375,
        lineItems: [
          { description: "Website design", quantity: null, unitPrice: null, amount: 300 },
          { description: "Hosting (3 months)", quantity: null, unitPrice: null, amount: 75 }
        ]
      })
    })
  )

  it.effect("as the seller: next to the buyer, and never among the headings of a table", () =>
    Effect.gen(function* () {
      const values = yield* valuesOf(
        row(60, [470, "TAX INVOICE"]),
        row(90, [60, "Invoice To"], [310, "From"]),
        row(104, [60, "Greenfield School"], [310, "Brightwater Plumbing"]),
        row(118, [60, "Leeds LS1 4DY"], [310, "Leeds LS11 5PS"]),
        row(150, [60, "Invoice No."], [163, "Tax Point"], [267, "Your Order"], [371, "Terms"]),
        row(166, [60, "BW/3391"], [163, "19 Sep 2022"], [267, "PO-77120"], [371, "30 days"])
      )
      assert.include(values, { vendorName: "Brightwater Plumbing", invoiceNumber: "BW/3391" })
    })
  )

  it.effect("as the total: with tax, not without it", () =>
    Effect.gen(function* () {
      const values = yield* valuesOf(
        row(80, [60, "Honorarrechnung R-25-0093"]),
        row(100, [60, "Total exkl. MWST"], [450, "2'640.00"]),
        row(116, [60, "MWST 8.1%"], [450, "213.85"]),
        row(132, [60, "Total inkl. MWST"], [450, "2'853.85"])
      )
      assert.include(values, {
        invoiceNumber: "R-25-0093",
        subtotal: 2640,
        taxAmount: 213.85,
        totalAmount: 2853.85
      })
    })
  )

  it.effect("as the tax: the smaller of two amounts that add up", () =>
    Effect.gen(function* () {
      const values = yield* valuesOf(
        row(60, [60, "Rechnung"]),
        row(100, [60, "Gesamtpreis"], [450, "89,97"]),
        row(130, [60, "USt. %"], [300, "Ohne USt."], [450, "USt."]),
        row(146, [60, "USt. Gesamt"], [300, "75,61"], [450, "14,36"])
      )
      assert.include(values, { subtotal: 75.61, taxAmount: 14.36, totalAmount: 89.97 })
    })
  )

  it.effect("not in the sentence about another invoice; and the seller before an address", () =>
    Effect.gen(function* () {
      const values = yield* valuesOf(
        row(60, [60, "Gutschrift"]),
        row(84, [60, "Kornblum KG, Industriestr. 9, 70565 Stuttgart"]),
        row(100, [60, "Gutschrift-Nr.: GS-44"]),
        row(116, [60, "Datum: 11.07.2024"]),
        row(132, [60, "zu Rechnung: RE-1190 vom 28.06.2024"]),
        row(170, [60, "Kanzlei Weber"])
      )
      assert.include(values, {
        vendorName: "Kornblum KG",
        invoiceNumber: "GS-44",
        invoiceDate: "2024-07-11"
      })
    })
  )
})
