import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { itemsOf, table } from "./PlacedItems.ts"
import { linesOf } from "../pages/PlacedLines.ts"

const codes = { 40: "Artikel", 110: "Omschrijving", 300: "Aantal", 360: "Prijs", 440: "Bedrag" }
const sides = [
  ...linesOf(120, 12, [
    { 40: "2504-", 110: "Zijplaat links gezet", 300: "2", 360: "10,00", 440: "20,00" },
    { 40: "011", 110: "uw tekening 88" }
  ]),
  ...linesOf(160, 12, [
    { 40: "2504-", 110: "Zijplaat rechts gezet", 300: "3", 360: "5,00", 440: "15,00" },
    { 40: "012", 110: "uw tekening 89" }
  ])
]

it.effect("codes that narrow cells break at a hyphen are no descriptions", () =>
  Effect.gen(function* () {
    expect(yield* itemsOf(table(codes, sides, { 300: "Subtotaal", 440: "35,00" }))).toEqual([
      ["Zijplaat links gezet uw tekening 88", 2, 10, 20],
      ["Zijplaat rechts gezet uw tekening 89", 3, 5, 15]
    ])
  })
)
