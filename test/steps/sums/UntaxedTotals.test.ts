import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { readByRules } from "../../../src/extraction/rules/Rules.ts"
import { invoiceFields, invoiceRelations as relations } from "../../fixtures/InvoiceFields.ts"
import { printed } from "../pages/PrintedLines.ts"

const fields = Object.entries(invoiceFields).map(([name, field]) => fieldOf(name, field))

const sumsOf = (lines: ReadonlyArray<string>) =>
  Effect.map(readByRules(printed(lines), { fields, relations }), ({ found }) =>
    ["subtotal", "taxAmount", "totalAmount"].map((name) => found[name]?.value)
  )

const head = [
  "Katrin Wollschläger                  Rechnung Nr. 2026-017",
  "Fachübersetzungen                    Datum: 4. Mai 2026",
  "",
  "Leistung                     Menge      Preis       Betrag",
  "Übersetzung, Normzeilen        320       1,90       608,00",
  "Beglaubigung                     1      45,00        45,00"
]

describe("a document without tax", () => {
  it.effect("has no net amount if only its total is printed", () =>
    Effect.gen(function* () {
      const sums = yield* sumsOf([
        ...head,
        "Rechnungsbetrag                                     653,00",
        "Gemäß § 19 UStG wird keine Umsatzsteuer berechnet."
      ])
      assert.deepStrictEqual(sums, [null, null, 653])
    })
  )

  it.effect("has a net amount that is printed with its label, but no tax of nothing", () =>
    Effect.gen(function* () {
      const sums = yield* sumsOf([
        ...head,
        "Zwischensumme                                       653,00",
        "Rechnungsbetrag                                     653,00"
      ])
      assert.deepStrictEqual(sums, [653, null, 653])
    })
  )

  it.effect("has a tax of nothing where that is printed", () =>
    Effect.gen(function* () {
      const sums = yield* sumsOf([
        "Dakbedrijf Oosterveld B.V.           Factuurnummer: 25700146",
        "                                     Factuurdatum: 28-03-2026",
        "",
        "Omschrijving                Aantal      Prijs       Bedrag",
        "Dakbedekking, m²               320       1,90       608,00",
        "Meerwerk                         1      45,00        45,00",
        "Totaal exclusief btw                                653,00",
        "Btw verlegd                                           0,00",
        "Te betalen                                          653,00"
      ])
      assert.deepStrictEqual(sums, [653, 0, 653])
    })
  )

  it.effect(
    "has neither net amount nor tax where its rows make the total, and what is added is of another group",
    () =>
      Effect.gen(function* () {
        const sums = yield* sumsOf([
          "Whitcomb Arce LLP                    Invoice no. 118-40277",
          "Tax ID 93-1184402                    Date: November 5, 2026",
          "",
          "Description                 Hours      Rate        Amount",
          "Review of the lease          1.40    425.00        595.00",
          "Review of the title          0.60    285.00        171.00",
          "Binder for the closing       4.10    285.00      1,168.50",
          "Total fees                                       1,934.50",
          "Costs advanced",
          "Recording fees, county                             402.00",
          "Overnight courier                                   38.60",
          "Total costs                                        440.60",
          "Total this invoice                               2,375.10",
          "Balance due                                      2,375.10"
        ])
        assert.deepStrictEqual(sums, [null, null, 2375.1])
      })
  )
})
