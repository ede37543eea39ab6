import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { sureFrom } from "../../../src/domain/Evidence.ts"
import { readPrinted } from "../pages/ReadPrinted.ts"

const kindOf = (line: string) =>
  Effect.map(
    readPrinted([
      "Ingenieurbüro Tauber GmbH",
      "Donnersbergring 44, 64295 Darmstadt",
      "Rechnungskorrektur Nr. 2026-1182-K1",
      line,
      "Datum 12.05.2026",
      "Summe netto        9.840,00 €",
      "19 % MwSt.         1.869,60 €",
      "Rechnungssumme    11.709,60 €"
    ]),
    ({ found }) => found["documentType"]
  )

it.effect("a correction that replaces an invoice is one, and not surely", () =>
  Effect.gen(function* () {
    const replacing = yield* kindOf("Diese Rechnung ersetzt unsere Rechnung Nr. 2026-1182 vom 24.04.2026.")
    assert.strictEqual(replacing?.value, "invoice")
    assert.isBelow(replacing?.confidence ?? 1, sureFrom)
    const credit = yield* kindOf("Wir schreiben Ihnen zu Rechnung Nr. 2026-1182 gut:")
    assert.strictEqual(credit?.value, "credit-note")
  })
)
