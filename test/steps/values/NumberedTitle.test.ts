import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { readPrinted } from "../pages/ReadPrinted.ts"

it.effect("a title with the number behind it says what the document is", () =>
  Effect.gen(function* () {
    for (const title of ["FATTURA n. 347/2025 del 19 agosto 2025", "FACTURA Nº T/2025/0917"]) {
      const { found } = yield* readPrinted([
        "Albergo Bellavista S.n.c.",
        "P.IVA e C.F. 01448820037",
        title,
        "Imponibile IVA 10%        610,91",
        "IVA 10%                    61,09",
        "TOTALE EURO               672,00"
      ])
      const { confidence = 0, status, value } = found["documentType"] ?? {}
      assert.deepStrictEqual([value, status], ["invoice", "grounded"], title)
      assert.isAbove(confidence, 0.75, title)
    }
  })
)

it.effect("a number with the hyphen of typesetting is read with a plain one", () =>
  Effect.gen(function* () {
    const { found } = yield* readPrinted([
      "Ledgerly Inc.",
      "Invoice",
      "Invoice number   7C41A9E0\u20110007",
      "Date of issue    September 3, 2026",
      "Pro plan                    $49.00",
      "Total                       $49.00"
    ])
    const { text, value } = found["invoiceNumber"] ?? {}
    assert.deepStrictEqual([value, text], ["7C41A9E0-0007", "7C41A9E0\u20110007"])
  })
)
