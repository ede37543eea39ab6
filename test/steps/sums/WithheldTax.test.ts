import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { readByRules } from "../../../src/extraction/rules/Rules.ts"
import { invoiceFields, invoiceRelations as relations } from "../../fixtures/InvoiceFields.ts"
import { printed } from "../pages/PrintedLines.ts"

const fields = Object.entries(invoiceFields).map(([name, field]) => fieldOf(name, field))

const read = (withheld: string, total: string) =>
  readByRules(
    printed([
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
      `                     Total                        ${total}`
    ]),
    { fields, relations }
  )

describe("a tax that is withheld at the source", () => {
  for (const withheld of ["IRPF -15%", "Ret. IVA 15%", "Retención 15%"])
    it.effect(`is no part of the tax on sales: ${withheld}`, () =>
      Effect.gen(function* () {
        const { found, violations, warnings } = yield* read(withheld, "1.102,40")
        assert.strictEqual(found["taxAmount"]?.value, 218.4)
        assert.strictEqual(found["totalAmount"]?.value, 1102.4)
        assert.deepStrictEqual([violations, warnings], [[], []])
      })
    )

  it.effect("leaves a tax in doubt that is more than its rate of all that is taxed", () =>
    Effect.gen(function* () {
      const lines = yield* read("IRPF -15%", "1.102,40")
      const { warnings } = yield* readByRules(
        printed([
          "Estudio Marisol Vega SL      FACTURA 8820",
          "Base imponible               1.040,00",
          "IVA 21%                        281,40",
          "Total                        1.321,40"
        ]),
        { fields, relations }
      )
      assert.deepStrictEqual(lines.warnings, [])
      assert.include(warnings.join(), "more than the printed 21 %")
    })
  )
})

describe("the number of an invoice", () => {
  it.effect("is not the one by which a tax office registers it", () =>
    Effect.gen(function* () {
      const { found } = yield* read("IRPF -15%", "1.102,40")
      assert.strictEqual(found["invoiceNumber"]?.value, "8820")
    })
  )
})
