import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { printed } from "../pages/PrintedLines.ts"

const fields = [
  fieldOf("kind", { preset: "invoice.documentType" }),
  fieldOf("subtotal", { preset: "invoice.subtotal" }),
  fieldOf("tax", { preset: "invoice.taxAmount" }),
  fieldOf("total", { preset: "invoice.totalAmount" })
]

const sumsOf = (lines: ReadonlyArray<string>) =>
  Effect.map(
    extractByRules(printed(lines), { fields, relations: ["subtotal + tax = total"] }),
    ({ subtotal, tax, total }) => [subtotal, tax, total]
  )

const valuesOf = (lines: ReadonlyArray<string>) =>
  Effect.map(sumsOf(lines), (sums) => sums.map((one) => one?.value))

const columns = "                         Netto   USt 19 %     Brutto"

describe("a credit note with the sums before and after a correction", () => {
  it.effect("is no credit note with the sums of two groups", () =>
    Effect.gen(function* () {
      const lines = [
        "Malerbetrieb Sander GmbH",
        "",
        "Gutschrift",
        "",
        columns,
        "Baustelle Nord          800,00     152,00     952,00",
        "Baustelle Süd         2.200,00     418,00   2.618,00",
        "Gesamtbetrag          3.000,00     570,00   3.570,00"
      ]
      expect((yield* valuesOf(lines))[2]).toBe(3570)
    })
  )

  it.effect("is no invoice from which the sums of an earlier one are deducted", () =>
    Effect.gen(function* () {
      const lines = [
        "Malerbetrieb Sander GmbH",
        "",
        "Schlussrechnung 2026-0901",
        "",
        columns,
        "Gesamtbetrag          3.000,00     570,00   3.570,00",
        "Abschlag              2.200,00     418,00   2.618,00",
        "Restbetrag              800,00     152,00     952,00",
        "Eine Gutschrift auf Ihr Konto erfolgt nicht."
      ]
      expect((yield* valuesOf(lines))[2]).toBe(3570)
    })
  )
})
