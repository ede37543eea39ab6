import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readPrinted } from "../pages/ReadPrinted.ts"

describe("the lines of an invoice", () => {
  it.effect("may begin with the word that names the sum of others: fees", () =>
    Effect.gen(function* () {
      const { values } = yield* readPrinted([
        "ESTUDIO ALARCON ARQUITECTURA S.L.P.",
        "Factura núm.: A-25/031      Fecha: 12/06/2025",
        "Concepto                                                   Importe",
        "Honorarios por redacción de proyecto                      8.400,00",
        "Desplazamientos                                             126,50",
        "Base imponible                                            8.526,50 €",
        "IVA 21 %                                                  1.790,57 €",
        "TOTAL FACTURA                                            10.317,07 €"
      ])
      assert.deepStrictEqual(values["lineItems"], [
        {
          description: "Honorarios por redacción de proyecto",
          quantity: null,
          unitPrice: null,
          amount: 8400
        },
        { description: "Desplazamientos", quantity: null, unitPrice: null, amount: 126.5 }
      ])
    })
  )

  it.effect("of several columns that count, what was shipped is what the amounts prove", () =>
    Effect.gen(function* () {
      const { values } = yield* readPrinted([
        "MIDSTATE SUPPLY INC                                  INV NO     884213",
        "ORD  SHP  B/O  ITEM        DESCRIPTION               PRICE  UM   EXTENSION",
        "500  500    0  HCS38X2     HEX CAP SCREW 3/8-16X2     0.214 EA      107.00",
        " 20   20    0  LW38-B      LOCK WASHER 3/8 BOX/100    6.350 BX      127.00",
        "  6    4    2  DRL-HSS21   DRILL SET HSS 21PC        88.900 EA      355.60",
        "                                          INVOICE TOTAL         589.60"
      ])
      const rows = values["lineItems"]
      const counts = Array.isArray(rows)
        ? rows.map((row: Readonly<Record<string, unknown>>) => row["quantity"])
        : []
      assert.deepStrictEqual(counts, [500, 20, 4])
      assert.strictEqual(values["invoiceNumber"], "884213")
    })
  )

  it.effect("may be fees, on a note of them", () =>
    Effect.gen(function* () {
      const { values } = yield* readPrinted([
        "Dr. Elisabeth Kogler",
        "HONORARNOTE Nr. 388/2025",
        "Graz, 26. Mai 2025",
        "Datum       Leistung                                       Honorar",
        "26.05.2025  Erstordination mit Untersuchung                € 160,00",
        "26.05.2025  Sonographie Schulter rechts                     € 65,00",
        "            Summe                                          € 225,00"
      ])
      const rows = values["lineItems"]
      const amounts = Array.isArray(rows)
        ? rows.map((row: Readonly<Record<string, unknown>>) => row["amount"])
        : []
      assert.deepStrictEqual(
        [values["documentType"], values["invoiceNumber"], amounts],
        ["invoice", "388/2025", [160, 65]]
      )
    })
  )
})
