import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"
import { printed } from "../pages/PrintedLines.ts"

const fields = [
  fieldOf("invoiceDate", { preset: "invoice.date" }),
  fieldOf("total", { preset: "invoice.totalAmount" })
]

const dateOf = Effect.fnUntraced(function* (page: ReturnType<typeof printed>) {
  const { invoiceDate } = yield* extractByRules(page, { fields, relations: [], today: "2025-12-01" })
  return invoiceDate?.value
})

describe("the day of an invoice without a label", () => {
  it.effect("is the one behind the place, not the days of the work", () =>
    Effect.gen(function* () {
      const lines = [
        "Pedrazzini Giardini Sagl",
        "Tenero, 30.4.2025",
        "FATTURA no. 25-041",
        "Lavori come da preventivo del 12.2.2025.",
        "Giardiniere, 8-9-10 aprile          952.00",
        "Totale fattura                      952.00"
      ]
      expect(yield* dateOf(printed(lines))).toBe("2025-04-30")
    })
  )

  it.effect("is alone in its column, though a deposit was paid before", () =>
    Effect.gen(function* () {
      const lines = [
        "Breathnach Plumbing Ltd.",
        "Kilbannon                         14th February 2025",
        "INVOICE NO. 2291",
        "Works carried out                   4,358.60",
        "Invoice total                       4,358.60",
        "Less deposit received 12/01/2025    1,500.00"
      ]
      expect(yield* dateOf(printed(lines))).toBe("2025-02-14")
    })
  )
})

describe("the day of an invoice", () => {
  it.effect("is below its label, not one of a period in text", () =>
    Effect.gen(function* () {
      const page = placedPage([
        ...linesOf(60, 14, [
          {
            160: "Honorar for arbeid i perioden 01.09.2025 – 30.09.2025 i henhold til avtale av 12.01.2022."
          },
          { 40: "Fakturadato" },
          { 40: "02.10.2025" },
          { 160: "Bokføring", 440: "33 213,88" },
          { 160: "Sum NOK", 440: "33 213,88" }
        ])
      ])
      expect(yield* dateOf(page)).toBe("2025-10-02")
    })
  )
})

it.effect.each([
  [["Datum: 15.10.2025 · Leistung: 01.10.-31.10.2025 · zahlbar bis", "14.11.2025"], "2025-11-14"],
  [["Datum     30. Juni 2025 Zahlbar bis     30. Juli 2025"], "2025-07-30"]
] as const)(
  "the last day to pay is behind its label, though that is behind a date or ends its line: %s",
  ([lines, day]) =>
    Effect.gen(function* () {
      const page = printed([
        "Nordlicht Informatik AG",
        "Rechnung 25-10334",
        ...lines,
        "Total                     2'402.25"
      ])
      const { dueDate } = yield* extractByRules(page, {
        fields: [...fields, fieldOf("dueDate", { preset: "invoice.dueDate" })],
        relations: [],
        today: "2025-12-01"
      })
      expect(dueDate?.value).toBe(day)
    })
)
