import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"

const descriptionsOf = Effect.fnUntraced(function* (numbers: ReadonlyArray<string>) {
  const things = ["Gasket brass", "Bearing", "Chain 400 mm", "Filter", "Hinge steel"]
  const rows = things.map((thing, i) => {
    const amount = `${(i + 2) * 5}.00`
    return { 40: `${numbers[i] ?? ""} ${thing}`.trim(), 300: String(i + 2), 360: "5.00", 440: amount }
  })
  const presets = { subtotal: "invoice.subtotal", lineItems: "invoice.lineItems" } as const
  const fields = Object.entries(presets).map(([name, preset]) => fieldOf(name, { preset }))
  const page = placedPage([
    ...linesOf(100, 12, [{ 60: "Description", 300: "Qty", 360: "Price", 440: "Amount" }]),
    ...linesOf(120, 12, rows),
    ...linesOf(220, 12, [{ 340: "Subtotal", 440: "100.00" }])
  ])
  const { lineItems } = yield* extractByRules(page, { fields, relations: [] })
  const read: ReadonlyArray<Readonly<Record<string, unknown>>> = Array.isArray(lineItems?.value)
    ? lineItems.value
    : []
  return read.map(({ description }) => description)
})

describe("numbers in front of descriptions, under no heading of their own", () => {
  it.effect.each([
    ["count the rows", ["1", "2", "3", "4", "5"]],
    ["count on from another page", ["88", "89", "90", "91", "92"]],
    ["count the rows, one of them misread", ["1.", "2.", "3.", "0.", "5."]]
  ] as const)("are no part of them where they %s", ([, numbers]) =>
    Effect.gen(function* () {
      expect(yield* descriptionsOf(numbers)).toEqual([
        "Gasket brass",
        "Bearing",
        "Chain 400 mm",
        "Filter",
        "Hinge steel"
      ])
    })
  )

  it.effect("are part of them where they do not", () =>
    Effect.gen(function* () {
      expect(yield* descriptionsOf(["12", "8", "", "40", "41"])).toEqual([
        "12 Gasket brass",
        "8 Bearing",
        "Chain 400 mm",
        "40 Filter",
        "41 Hinge steel"
      ])
    })
  )
})
