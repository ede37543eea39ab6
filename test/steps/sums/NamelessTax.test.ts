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

describe("an amount that nothing calls a tax", () => {
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
})
