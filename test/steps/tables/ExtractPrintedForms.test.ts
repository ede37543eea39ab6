import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { DocumentIR } from "../../../src/domain/DocumentIR.ts"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { invoiceFields, invoiceRelations as relations } from "../../fixtures/InvoiceFields.ts"
import { printed } from "../pages/PrintedLines.ts"

const fields = Object.entries(invoiceFields).map(([name, definition]) => fieldOf(name, definition))

/** A test that a document is read with these values. */
const finds = (
  title: string,
  document: DocumentIR,
  expected: Readonly<Record<string, string | number | null>>
) =>
  it.effect(title, () =>
    Effect.gen(function* () {
      const found = yield* extractByRules(document, { fields, relations })
      const values = Object.keys(expected).map((name) => [name, found[name]?.value ?? null])
      assert.deepStrictEqual(Object.fromEntries(values), expected)
    })
  )

describe("numbers of invoices", () => {
  finds(
    "a number of two figures counts right behind the word for it",
    printed([
      "Avv. Chiara Pellegrini",
      "Via Po 18, 10123 Torino",
      "",
      "FATTURA n. 12 del 3 marzo 2024",
      "",
      "Totale fattura                          2.537,60"
    ]),
    { invoiceNumber: "12", invoiceDate: "2024-03-03" }
  )
})

describe("amounts", () => {
  finds(
    "a label in brackets behind another one is a remark",
    printed([
      "Coral Bay Plumbing Pty Ltd              Tax Invoice",
      "Invoice No: 00004418                    Issue date: 27/05/2025",
      "",
      "Description           Qty       Price   Amount",
      "Tempering valve       2        150.00   300.00",
      "Labour                4        117.50   470.00",
      "",
      "Tax                                     $70.00",
      "Total amount (inc. tax)                $770.00",
      "Balance due                            $770.00"
    ]),
    { taxAmount: 70, totalAmount: 770 }
  )

  finds(
    "the rows of a tax breakdown without a row for their sum are parts of the total",
    printed([
      "LOUGH REE MANOR HOTEL                   Invoice No. 118722",
      "                                        Date 21-06-25",
      "",
      "Date        Description                 Charges   Credits",
      "19-06-25    Accommodation                330.00",
      "19-06-25    Lakeside Restaurant           33.00",
      "20-06-25    Bar                           49.00",
      "21-06-25    Visa XXXX4418                            412.00",
      "Total                                    412.00      412.00",
      "",
      "VAT rate     Gross       VAT        Net",
      "13.50%      363.00     43.18     319.82",
      "23.00%       49.00      9.16      39.84"
    ]),
    { totalAmount: 412, subtotal: 359.66, taxAmount: 52.34 }
  )

  finds(
    "amounts behind a sign that recognition did not know",
    printed(
      [
        "Zaria Prints Limited",
        "Invoice Number: INV/0771    Invoice Date: 15/09/2025",
        "Kraft pouches       4,000     150.00    600,000.00",
        "Sub-total                              #860,000.00",
        "VAT (7.5%)                              #64,500.00",
        "Grand Total                            #924,500.00"
      ],
      { recognised: true }
    ),
    { subtotal: 860000, taxAmount: 64500, totalAmount: 924500 }
  )
})

describe("days of a stay", () => {
  finds(
    "neither the day of arrival nor that of departure is the day of the invoice",
    printed([
      "LOUGH REE MANOR HOTEL       Invoice No.   118722",
      "Mr Tomasz Wrona             Arrival       18-06-2025",
      "Sandyford, Dublin 18        Departure     20-06-2025",
      "                            Date          21-06-2025",
      "",
      "Total                                     412.00"
    ]),
    { invoiceDate: "2025-06-21" }
  )
})

const rowsOf = (document: DocumentIR) =>
  Effect.map(extractByRules(document, { fields, relations }), ({ lineItems }) => lineItems?.value)

describe("rows of tables", () => {
  it.effect("of two headings that mean a price, the second is that of the amounts", () =>
    Effect.gen(function* () {
      const rows = yield* rowsOf(
        printed([
          "Havnegadens Cykler ApS",
          "Faktura 311",
          "",
          "Beskrivelse          Antal Enhed   Enhedspris       Pris",
          "Ladcykel, service     2,00 stk.        680,00   1.360,00",
          "Bremseklodser         8,00 stk.        125,00   1.000,00",
          "Subtotal                                        2.360,00"
        ])
      )
      assert.deepStrictEqual(rows, [
        { description: "Ladcykel, service", quantity: 2, unitPrice: 680, amount: 1360 },
        { description: "Bremseklodser", quantity: 8, unitPrice: 125, amount: 1000 }
      ])
    })
  )

  it.effect("a number in front of every description is the quantity, where price and amount prove it", () =>
    Effect.gen(function* () {
      const rows = yield* rowsOf(
        printed([
          "Studio Waterlelie                  Factuurnummer: 2025-0093",
          "",
          "         Omschrijving              Prijs     Totaal",
          "12 x     Ontwerp folder            80,00     960,00",
          "1 x      Drukwerkbegeleiding      180,00     180,00",
          "Subtotaal                                  1.140,00"
        ])
      )
      assert.deepStrictEqual(rows, [
        { description: "Ontwerp folder", quantity: 12, unitPrice: 80, amount: 960 },
        { description: "Drukwerkbegeleiding", quantity: 1, unitPrice: 180, amount: 180 }
      ])
    })
  )
})
