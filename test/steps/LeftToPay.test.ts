import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../src/steps/extract/Field.ts"
import { readByRules } from "../../src/steps/extract/Rules.ts"
import { printed } from "./PrintedLines.ts"

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
})
