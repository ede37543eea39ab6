import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"

const headings = { 40: "Description", 300: "Qty", 360: "Price", 440: "Amount" }
const first = { 300: "2", 360: "10.00", 440: "20.00" }
const second = { 300: "3", 360: "5.00", 440: "15.00" }

const extract = Effect.fnUntraced(function* (items: Parameters<typeof placedPage>[0]) {
  const presets = { subtotal: "invoice.subtotal", lineItems: "invoice.lineItems" } as const
  const fields = Object.entries(presets).map(([name, preset]) => fieldOf(name, { preset }))
  const page = placedPage([
    ...linesOf(100, 12, [headings]),
    ...items,
    ...linesOf(220, 12, [{ 340: "Subtotal", 440: "35.00" }])
  ])
  const { lineItems } = yield* extractByRules(page, { fields, relations: [] })
  const rows: ReadonlyArray<Readonly<Record<string, unknown>>> = Array.isArray(lineItems?.value)
    ? lineItems.value
    : []
  return {
    descriptions: rows.map(({ description }) => description),
    confidence: lineItems?.confidence ?? 0
  }
})

const apart = (remark: string) => [
  ...linesOf(120, 12, [{ 40: "Oak table", ...first }, { 40: remark }]),
  ...linesOf(160, 12, [{ 40: "Chair", ...second }])
]

describe("lines with a colon below a description", () => {
  it.effect.each(["Colour: grey", "Code: PT-24D / Size: M", "rated: for children)"])(
    "are part of it where they are close to it: %s",
    (remark) =>
      Effect.gen(function* () {
        const { confidence, descriptions } = yield* extract(apart(remark))
        expect(descriptions).toEqual([`Oak table ${remark}`, "Chair"])
        expect(confidence).toBeGreaterThanOrEqual(0.9)
      })
  )
})
