import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { readByRules } from "../../../src/extraction/rules/Rules.ts"
import { invoiceFields, invoiceRelations as relations } from "../../fixtures/InvoiceFields.ts"
import { printed } from "../pages/PrintedLines.ts"

const fields = Object.entries(invoiceFields).map(([name, field]) => fieldOf(name, field))

const read = (lines: ReadonlyArray<string>) => readByRules(printed(lines), { fields, relations })

const sumsOf = (lines: ReadonlyArray<string>) =>
  Effect.map(read(lines), ({ found }) =>
    ["subtotal", "taxAmount", "totalAmount"].map((name) => found[name]?.value)
  )

const taxed = (label: string, tax: string, total: string) =>
  read([
    "Harbour Joinery Ltd",
    "Invoice HJ-2031           Date 14 May 2025",
    "Subtotal                       4,350.00",
    `${label}                       ${tax}`,
    `Total                          ${total}`
  ])

describe("a tax", () => {
  it.effect.each(["USt-IdNr. DE 118 882 771", "Tax ID 99-118772", "NIF B12345674"])(
    "is not what is added to a fee where the document names nothing but the number of a taxpayer: %s",
    (number) =>
      Effect.gen(function* () {
        const sums = yield* sumsOf([
          "Kanzlei Petersen",
          `Hafenstraße 3, 24103 Kiel          ${number}`,
          "Rechnung Nr. 2026-118              Datum: 03.03.2026",
          "Leistung                    Menge   Einzelpreis   Betrag",
          "Honorar                     1       840,00        840,00",
          "Auslagen                    1       160,00        160,00",
          "",
          "Zwischensumme                                     840,00",
          "Auslagen                                          160,00",
          "Gesamtbetrag                                    1.000,00"
        ])
        assert.deepStrictEqual(sums, [null, null, 1000])
      })
  )

  it.effect("that is more than its printed rate is never sure, and a warning says so", () =>
    Effect.gen(function* () {
      const { found, warnings } = yield* taxed("VAT 20%", "890.00", "5,240.00")
      assert.strictEqual(found["taxAmount"]?.value, 890)
      assert.isBelow(found["taxAmount"]?.confidence ?? 1, 0.8)
      assert.deepStrictEqual(warnings, [
        "taxAmount 890 is more than the printed 20 % of 4350: check the amounts."
      ])
    })
  )

  it.effect.each([
    ["870.00", "5,220.00"],
    ["600.00", "4,950.00"]
  ])("may be less, because some goods may be free of tax: %s", ([tax = "", total = ""]) =>
    Effect.gen(function* () {
      const { found, warnings } = yield* taxed("VAT 20%", tax, total)
      assert.deepStrictEqual(warnings, [])
      assert.isAtLeast(found["taxAmount"]?.confidence ?? 0, 0.9)
    })
  )

  it.effect("of several rates in a row is that of none of them", () =>
    Effect.gen(function* () {
      const { warnings } = yield* taxed("VAT 7% and 19%", "890.00", "5,240.00")
      assert.deepStrictEqual(warnings, [])
    })
  )

  it.effect.each(["IRPF -15%", "Ret. IVA 15%", "Retención 15%"])(
    "that is withheld at the source is no part of the tax on sales: %s",
    (withheld) =>
      Effect.gen(function* () {
        const { found, violations, warnings } = yield* read([
          "Estudio Marisol Vega SL                     FACTURA",
          "NIF B28765432",
          "Serie FT Folio 8820              Fecha: 12/02/2026",
          "Folio fiscal     3E1C7A90-62D4-4B1F-9A0E-7F55C2D81B64",
          "",
          "Concepto                     Cantidad   Precio     Importe",
          "Diseño de catálogo                  1   900,00      900,00",
          "Horas de corrección                 4    35,00      140,00",
          "",
          "                     Base imponible               1.040,00",
          "                     IVA 21%                        218,40",
          `                     ${withheld.padEnd(29)}-156,00`,
          "                     Total                        1.102,40"
        ])
        const names = ["invoiceNumber", "taxAmount", "totalAmount"]
        assert.deepStrictEqual(
          names.map((name) => found[name]?.value),
          ["8820", 218.4, 1102.4]
        )
        assert.deepStrictEqual([violations, warnings], [[], []])
      })
  )

  it.effect.each<[string, ReadonlyArray<string>, Array<number | null>]>([
    ["a total", [], [null, null, 653]],
    [
      "a net amount and a total",
      ["Zwischensumme                                       653,00"],
      [653, null, 653]
    ]
  ])("of nothing is not invented, nor a net amount, where only %s is printed", ([, net, sums]) =>
    Effect.gen(function* () {
      const found = yield* sumsOf([
        "Katrin Wollschläger                  Rechnung Nr. 2026-017",
        "Fachübersetzungen                    Datum: 4. Mai 2026",
        "",
        "Leistung                     Menge      Preis       Betrag",
        "Übersetzung, Normzeilen        320       1,90       608,00",
        "Beglaubigung                     1      45,00        45,00",
        ...net,
        "Rechnungsbetrag                                     653,00"
      ])
      assert.deepStrictEqual(found, sums)
    })
  )

  it.effect.each<[string, ReadonlyArray<string>, Array<number>]>([
    [
      "of two equal parts, where no net amount is printed but the lines come to it",
      [
        "Description            Qty      Price       Amount",
        "Steel bracket          400      75.00    30,000.00",
        "Hinge set              150     120.00    18,000.00",
        "CGST @ 9%                                 4,320.00",
        "SGST @ 9%                                 4,320.00",
        "Total                                    56,640.00"
      ],
      [48000, 8640, 56640]
    ],
    [
      "of rates whose sign is in the heading alone",
      [
        "% IVA       Totale imponibile       Totale imposta",
        "22,00                2.377,47               523,04",
        "10,00                  980,00                98,00",
        "                                Totale documento",
        "                                        3.978,51"
      ],
      [3357.47, 621.04, 3978.51]
    ]
  ])("is the sum %s", ([, lines, sums]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* sumsOf(["Bergmann Ltd          INVOICE 4711", "", ...lines]), sums)
    })
  )

  it.effect("that the buyer owes leaves the net amount for a total, where no other is printed", () =>
    Effect.gen(function* () {
      const sums = yield* sumsOf([
        "Murerfirmaet Toft ApS            Faktura 3107",
        "",
        "Tekst                 Antal     Enhedspris       Beløb",
        "Opmuring                  1      28.400,00   28.400,00",
        "Fugearbejde              46         465,00   21.390,00",
        "I alt ekskl. moms                            49.790,00",
        "Omvendt betalingspligt. Køber afregner momsen."
      ])
      assert.deepStrictEqual(sums, [49790, null, 49790])
    })
  )

  it.effect("is added up where two of them, or two rates, are under each other", () =>
    Effect.gen(function* () {
      const sums = yield* sumsOf([
        "Bergmann Ltd                     INVOICE 4711",
        "",
        "Description            Qty      Price       Amount",
        "Water heater             1   1,180.00     1,180.00",
        "Labour                   2     150.00       300.00",
        "Subtotal                                  1,480.00",
        "GST 5%                                       74.00",
        "QST 9.975%                                  147.63",
        "TOTAL                                     1,701.63"
      ])
      assert.deepStrictEqual(sums, [1480, 221.63, 1701.63])
    })
  )
})
