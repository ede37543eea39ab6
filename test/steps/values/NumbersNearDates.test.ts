import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { printed } from "../pages/PrintedLines.ts"

const numberIn = Effect.fnUntraced(function* (lines: ReadonlyArray<string>, recognised = false) {
  const fields = [fieldOf("number", { preset: "invoice.number" })]
  const { number } = yield* extractByRules(printed(lines, { recognised }), { fields, relations: [] })
  return number?.value
})

describe("the number of an invoice", () => {
  it.effect.each([
    ["Račun St.25-0088", "25-0088"],
    ["Faktura C.20250088", "20250088"],
    ["ARVE NR 250318", "250318"]
  ])(
    "does not begin with the word for number, also where recognition lost what parts them: %s",
    ([line = "", number = ""]) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* numberIn(["Acme d.o.o.", line, "Total 12.00"], true), number)
      })
  )

  it.effect.each(["20.-29.10.2025", "20.10.-02.11.2025", "01.10.2025-31.10.2025", "1/10-31/10/2025"])(
    "is no period, such as %s",
    (period) =>
      Effect.gen(function* () {
        assert.isNull(yield* numberIn(["Acme GmbH", `Rechnung ${period}`, "Summe 12,00 EUR"]))
      })
  )

  it.effect.each([
    [["Numer faktury: 2/11/2023", "Data wystawienia: 30.11.2023"], "2/11/2023"],
    [["Invoice number    Date", "7-12-2024         15 Dec 2024"], "7-12-2024"],
    [["Rechnungsnummer: 2024-03-10t172205", "Datum: 2024-03-10"], "2024-03-10t172205"],
    [["Invoice 2/11/2023", "Terms 30 days"], null]
  ] as const)("is written like a date only where a number is asked for: %j", ([lines, number]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* numberIn(["Acme Ltd", ...lines, "Total 12.00"]), number)
    })
  )

  it.effect("has no slash that parts it from its date", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* numberIn(["Acme Ltd", "Invoice no. 90118822/ 16.09.2025"]), "90118822")
    })
  )

  it.effect.each([
    ["Rechnungsnummer 4417", "Ausführung laut Angebot 2025-118."],
    ["Rechnungs-Nr. 4417", "gemäß Kostenvoranschlag Nr. 2025-118"],
    ["Fakturanr 4417", "Avser takomläggning enligt offert 2025-118."],
    ["Factuurnummer 4417", "volgens offerte 2025-118."],
    ["Invoice no. 4417", "as per our quotation no. 2025-118"]
  ])(
    "is the short one behind its label, not that of another document in the text: %s, %s",
    ([own = "", other = ""]) =>
      Effect.gen(function* () {
        const lines = ["Acme Ltd", own, "Date 28.11.2025", "", other, "Total 100.00"]
        assert.strictEqual(yield* numberIn(lines), "4417")
      })
  )
})
