import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"

const dateOn = (
  rows: ReadonlyArray<Readonly<Record<number, string>>>,
  preset: "invoice.date" | "invoice.dueDate" = "invoice.date",
  confidence?: number
) =>
  Effect.map(
    extractByRules(placedPage(linesOf(40, 14, rows), confidence), {
      fields: [fieldOf("day", { preset })],
      relations: []
    }),
    ({ day }) => day?.value
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

  it.effect.each([
    ["in a cell behind the number of an order", { 320: "Auftrag", 400: "AB-0112 v. 03.11.2025" }, "Datum"],
    ["behind a label that is only similar", { 320: "ze dne:", 400: "03.11.2025" }, "Datum vystavení:"]
  ] as const)("is not one %s", ([, other, label]) =>
    Effect.gen(function* () {
      const date = yield* dateOn([
        { 40: "Elektro Brandhuber" },
        other,
        { 320: label, 400: "18.02.2026" },
        { 40: "Schlussrechnung" },
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

  it.effect.each([
    { 40: "10482", 140: "Net 15", 260: "Feb 10, 2026", 400: "Feb 25, 2026" },
    { 40: "10482", 140: "14", 260: "Feb 10, 2026", 400: "Feb 24, 2026" }
  ])("does not begin with a number of the column before it: %o", (values) =>
    Effect.gen(function* () {
      const date = yield* dateOn([
        { 40: "Brazos Bend Plumbing LLC" },
        { 40: "INVOICE" },
        { 40: "INVOICE #", 140: "TERMS", 260: "DATE", 400: "DUE DATE" },
        values
      ])
      assert.strictEqual(date, "2026-02-10")
    })
  )

  it.effect("may have its parts in boxes of their own", () =>
    Effect.gen(function* () {
      const date = yield* dateOn([
        { 40: "Brazos Bend Plumbing LLC" },
        { 40: "INVOICE 10482" },
        { 40: "Date", 140: "10", 180: "Feb", 220: "2026" }
      ])
      assert.strictEqual(date, "2026-02-10")
    })
  )
})

describe("the day to pay by", () => {
  it.effect.each([
    "Начин на плащане: по банков път, до 12.12.2025 г.",
    "Плащане до 12.12.2025 г.",
    "ΗμΛιία λήξης: 12/12/2025"
  ])("is behind the word for it, also where others are between or misread: %s", (due) =>
    Effect.gen(function* () {
      const rows = [
        { 40: "Родопи Мрежи ООД" },
        { 40: "28.11.2025" },
        { 40: "Кабел", 300: "504,00" },
        { 40: due }
      ]
      assert.strictEqual(yield* dateOn(rows, "invoice.dueDate"), "2025-12-12")
    })
  )

  it.effect("is no day with the quantity of the next column for its year", () =>
    Effect.gen(function* () {
      const rows = [
        { 40: "Elektro Brandl GmbH" },
        { 40: "Montage, 31.3. – 2.4.", 260: "22,5", 320: "68,00", 400: "1.530,00" }
      ]
      assert.strictEqual(yield* dateOn(rows), null)
    })
  )

  it.effect("is in the column of a heading, whichever of its words are the label", () =>
    Effect.gen(function* () {
      const due = yield* dateOn(
        [
          { 40: "Northgate Rentals Ltd" },
          { 40: "Invoice", 160: "Date", 260: "Rental Due Date", 430: "Amount" },
          { 40: "INV-118", 160: "3/28/2018", 260: "4/16/2018", 430: "1,200.00" }
        ],
        "invoice.dueDate"
      )
      assert.strictEqual(due, "2018-04-16")
    })
  )
})
