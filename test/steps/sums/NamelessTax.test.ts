import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { parseEquation } from "../../../src/extraction/sums/Equation.ts"
import { chooseSums } from "../../../src/extraction/sums/Sums.ts"
import { readByRules } from "../../../src/extraction/rules/Rules.ts"
import { invoiceFields, invoiceRelations as relations } from "../../fixtures/InvoiceFields.ts"
import { printed } from "../pages/PrintedLines.ts"

const fields = Object.entries(invoiceFields).map(([name, field]) => fieldOf(name, field))

const sumsOf = (lines: ReadonlyArray<string>) =>
  Effect.map(readByRules(printed(lines), { fields, relations }), ({ found }) =>
    ["subtotal", "taxAmount", "totalAmount"].map((name) => found[name]?.value)
  )

describe("an amount that nothing calls a tax", () => {
  it.effect("is none if it is the smaller one of two groups of a bill", () =>
    Effect.gen(function* () {
      const sums = yield* sumsOf([
        "Malerei Ostermann GmbH               Rechnung Nr. 2291",
        "Linz, 4. Mai 2026",
        "",
        "Leistung                     Menge      Preis       Betrag",
        "Dispersion weiß                 12      40,00       480,00",
        "Abdeckfolie                      4      30,00       120,00",
        "Summe Material                                      600,00",
        "Malerstunden                    20      65,00     1.300,00",
        "Summe Arbeitszeit                                 1.300,00",
        "Rechnungssumme netto = zu zahlen                  1.900,00",
        "Die Steuerschuld geht auf den Leistungsempfänger über."
      ])
      assert.deepStrictEqual(sums, [1900, null, 1900])
    })
  )

  it.effect("is not added to the tax above it", () =>
    Effect.gen(function* () {
      const sums = yield* sumsOf([
        "Locanda Tre Querce                   Fattura n. 118/2026",
        "Data 14/05/2026",
        "",
        "Descrizione                  Q.tà     Prezzo       Importo",
        "Camera doppia                   4     110,00        440,00",
        "Tassa di soggiorno              8       2,00         16,00",
        "di cui imponibile IVA 10 %                          400,00",
        "di cui IVA 10 %                                      40,00",
        "Escluso art. 15 DPR 633/72                           16,00",
        "Totale fattura                                    € 456,00"
      ])
      assert.deepStrictEqual(sums.slice(1), [40, 456])
    })
  )

  it("is 0 if the lines come to the total, however unlikely the total is as a net amount", () => {
    const equations = relations.flatMap((text) => parseEquation(text) ?? [])
    const span = { page: 0, row: 9, from: 1, to: 1 }
    const total = { span, bbox: { x: 0, y: 0, w: 1, h: 1 }, text: "235,00", value: 235, quality: 0.9 }
    const chosen = chooseSums(equations, {
      ranked: new Map([
        ["subtotal", [{ ...total, score: 0.3 }]],
        ["taxAmount", []],
        ["totalAmount", [{ ...total, score: 0.95 }]]
      ]),
      columns: new Map([["lineItems.amount", 235]]),
      money: [total],
      moneyByRow: new Map(),
      onTop: new Set(["taxAmount"]),
      isOfLine: () => false,
      isInTable: () => false
    })
    assert.deepStrictEqual(
      ["subtotal", "taxAmount", "totalAmount"].map((name) => chosen.get(name)?.value),
      [235, 0, 235]
    )
  })
})
