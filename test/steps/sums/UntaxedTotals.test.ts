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
})
