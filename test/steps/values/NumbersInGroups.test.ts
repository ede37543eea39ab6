import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"

const fields = [
  fieldOf("invoiceNumber", { preset: "invoice.number" }),
  fieldOf("total", { preset: "invoice.totalAmount" })
]

const numberOf = Effect.fnUntraced(function* (lines: ReadonlyArray<Readonly<Record<number, string>>>) {
  const sum = { 40: "Total", 440: "400.00" }
  const { invoiceNumber } = yield* extractByRules(placedPage(linesOf(60, 14, [...lines, sum])), {
    fields,
    relations: []
  })
  return invoiceNumber?.value
})

it.effect.each([
  ["Kreditnota nr.", "K 70 2291"],
  ["Invoice No", "R-88"]
] as const)("a number with its groups: %s %s", ([label, number]) =>
  Effect.gen(function* () {
    expect(yield* numberOf([{ 40: "Krenn Trade" }, { 40: label, 160: number }])).toBe(number)
  })
)

it.effect("a state and its postcode are no number", () =>
  Effect.gen(function* () {
    const lines = [
      { 40: "Jacaranda Strata" },
      { 40: "DURAL NSW 2158", 300: "Invoice Number" },
      { 300: "INV-0873" }
    ]
    expect(yield* numberOf(lines)).toBe("INV-0873")
  })
)

it.effect("a label with its number behind it has none below, such as the first code of a table", () =>
  Effect.gen(function* () {
    const lines = [
      { 40: "FACTURA: A25/004471 Fecha: 17-06-2025" },
      { 40: "Ref.", 100: "Descripción", 440: "Importe" },
      { 40: "KR-", 100: "Champú", 440: "400.00" },
      { 40: "0140" }
    ]
    expect(yield* numberOf(lines)).toBe("A25/004471")
  })
)
