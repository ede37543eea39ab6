import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { FieldDefinition } from "../../../src/extraction/fields/FieldDefinition.ts"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { reviewOf } from "../../../src/steps/extract/Review.ts"
import { readByRules } from "../../../src/extraction/rules/Rules.ts"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"

const reviewed = (
  definitions: Readonly<Record<string, FieldDefinition>>,
  rows: ReadonlyArray<Readonly<Record<number, string>>>
) => {
  const fields = Object.entries(definitions).map(([name, definition]) => fieldOf(name, definition))
  return Effect.map(
    readByRules(placedPage(linesOf(40, 16, rows)), { fields, relations: [] }),
    ({ found, reasons }) =>
      reviewOf(fields, found, { below: 0, relations: [], warnings: [], reasons }).map(
        ({ field, reason }) => `${field}: ${reason}`
      )
  )
}

describe("review", () => {
  it.effect("lists values that every invoice has and that were not found", () =>
    Effect.gen(function* () {
      const review = yield* reviewed(
        {
          seller: { preset: "invoice.vendorName" },
          due: { preset: "invoice.dueDate" },
          total: { preset: "invoice.totalAmount", required: false }
        },
        [{ 40: "12.50" }]
      )
      assert.deepStrictEqual(review, ["seller: No value was found."])
    })
  )

  it.effect("lists dates whose label is printed", () =>
    Effect.gen(function* () {
      const review = yield* reviewed({ due: { preset: "invoice.dueDate" } }, [
        { 40: "Invoice number", 200: "4711-A" },
        { 40: "Due date", 200: "see the contract" }
      ])
      assert.deepStrictEqual(review, ['due: "Due date" is printed, but no value was found.'])
    })
  )
})
