import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../src/steps/extract/Field.ts"
import { extractByRules } from "../../src/steps/extract/Rules.ts"
import { linesOf, placedPage } from "./PlacedLines.ts"

const dateOn = (rows: ReadonlyArray<Readonly<Record<number, string>>>) =>
  Effect.map(
    extractByRules(placedPage(linesOf(40, 14, rows)), {
      fields: [fieldOf("invoiceDate", { preset: "invoice.date" })],
      relations: []
    }),
    ({ invoiceDate }) => invoiceDate?.value
  )

describe("the date of an invoice", () => {
  it.effect.each([
    "laut Auftragsbestätigung vom 03.11.2025",
    "gemäß Angebot vom 03.11.2025",
    "gemäß Angebot Nr. 4711 vom 03.11.2025",
    "laut Kostenvoranschlag vom 03.11.2025"
  ])("is not that of another document: %s", (other) =>
    Effect.gen(function* () {
      const date = yield* dateOn([
        { 40: "Tischlerei Holzner GmbH" },
        { 320: "Oberdorf, am 18. Februar 2026" },
        { 40: "Rechnung Nr. 2026/014" },
        { 40: `Wir erlauben uns, ${other} zu verrechnen:` },
        { 40: "Gesamtbetrag", 300: "19.250,40" }
      ])
      assert.strictEqual(date, "2026-02-18")
    })
  )

  it.effect("is not that of the performance, which may be in front of it", () =>
    Effect.gen(function* () {
      const date = yield* dateOn([
        { 40: "Villámszer Kft." },
        { 40: "SZÁMLA" },
        { 40: "Teljesítés kelte", 160: "Számla kelte", 300: "Fizetési határidő" },
        { 40: "2026.02.06.", 160: "2026.02.09.", 300: "2026.02.17." }
      ])
      assert.strictEqual(date, "2026-02-09")
    })
  )
})
