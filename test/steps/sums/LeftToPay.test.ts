import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sureFrom } from "../../../src/domain/Evidence.ts"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { readByRules } from "../../../src/extraction/rules/Rules.ts"
import { invoiceFields, invoiceRelations } from "../../fixtures/InvoiceFields.ts"
import { printed } from "../pages/PrintedLines.ts"

const invoice = Object.entries(invoiceFields).map(([name, field]) => fieldOf(name, field))

const total = fieldOf("totalAmount", { preset: "invoice.totalAmount" })

const warningOn = (below: ReadonlyArray<string>, fields = [total]) =>
  Effect.map(
    readByRules(
      printed([
        "Tischlerei Holzner GmbH",
        "Rechnung Nr. 2026/014",
        "Nettosumme                     16.042,00",
        "+ 20 % MwSt.                    3.208,40",
        "Gesamtbetrag                   19.250,40",
        ...below
      ]),
      { fields, relations: [] }
    ),
    ({ warnings }) => warnings[0]
  )

const totalAfter = (taken: string) =>
  Effect.map(
    readByRules(
      printed([
        "Clara Vidal, photographe",
        "Facture n° 2026-014",
        "Prestation                       Qté        PU        Total",
        "Reportage photo                    1  1 600,00     1 600,00",
        "Album 30x30 cm                     1    390,00       390,00",
        "Frais kilométriques              200      0,80       160,00",
        "                                 Total :           2 150,00 €",
        `                                 ${taken} 645,00 €`,
        "                                 Reste à payer :   1 505,00 €",
        "TVA non applicable, art. 293 B du CGI"
      ]),
      { fields: invoice, relations: invoiceRelations }
    ),
    ({ found }) => found["totalAmount"]
  )

const deposit = ["abzüglich Anzahlung            -6.000,00", "Restbetrag                     13.250,40"]

describe("a deposit", () => {
  it.effect("is told where the flow has no field for what is left to pay", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* warningOn(deposit),
        'Less than totalAmount is left to pay: 13250.4 ("Restbetrag 13.250,40").'
      )
      const due = fieldOf("amountDue", { preset: "invoice.amountDue" })
      assert.isUndefined(yield* warningOn(deposit, [total, due]))
    })
  )

  it.effect("may be several", () =>
    Effect.gen(function* () {
      const warning = yield* warningOn([
        "1. Anzahlung                   -6.000,00",
        "2. Anzahlung                   -1.250,40",
        "Restbetrag                     12.000,00"
      ])
      assert.strictEqual(warning, 'Less than totalAmount is left to pay: 12000 ("Restbetrag 12.000,00").')
    })
  )

  it.effect("is nothing that no amount explains, and no other amount below the total", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* warningOn(["Restbetrag                     13.250,40"]))
      assert.isUndefined(yield* warningOn(["Restbetrag                     19.250,40"]))
      assert.isUndefined(
        yield* warningOn([
          "Bei Zahlung bis 1.3. Skonto       385,01",
          "mit Abzug                      18.865,39"
        ])
      )
    })
  )

  it.effect("is no part of the total also where no tax is printed; a discount is", () =>
    Effect.gen(function* () {
      const total = yield* totalAfter("Acompte reçu le 19/11/2025 :")
      assert.strictEqual(total?.value, 2150)
      assert.isAtLeast(total?.confidence ?? 0, sureFrom)
      const discounted = yield* totalAfter("Remise exceptionnelle :")
      assert.strictEqual(discounted?.value, 1505)
    })
  )
})
