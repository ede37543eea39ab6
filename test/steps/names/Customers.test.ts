import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"

const customerOn = (...rows: ReadonlyArray<string>) =>
  Effect.map(
    extractByRules(
      placedPage(
        linesOf(
          40,
          14,
          rows.map((row) => ({ 40: row }))
        )
      ),
      { fields: [fieldOf("customer", { preset: "invoice.customerName" })], relations: [] }
    ),
    ({ customer }) => customer?.value
  )

describe("the name of a customer", () => {
  it.effect("is what is behind the word for a name", () =>
    Effect.gen(function* () {
      const name = yield* customerOn(
        "TRANSPORTES QUINTANILLA SA DE CV",
        "Datos del cliente",
        "Nombre: VIDRIOS Y CRISTALES DEL BAJIO",
        "RFC: VCB150618QN3"
      )
      assert.strictEqual(name, "VIDRIOS Y CRISTALES DEL BAJIO")
    })
  )

  it.effect.each(["Eheleute", "Herrn", "Firma"])("is below the form of address: %s", (address) =>
    Effect.gen(function* () {
      const name = yield* customerOn(
        "Tischlerei Zschunke · Klingenthaler Straße 27 · 08258 Markneukirchen",
        address,
        "Sabine Oelsnitzer",
        "Am Schafbach 9",
        "08626 Adorf"
      )
      assert.strictEqual(name, "Sabine Oelsnitzer")
    })
  )
})
