import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { FieldDefinition } from "../../../src/extraction/fields/FieldDefinition.ts"
import { fieldsOf } from "../../../src/extraction/lexicon/Field.ts"
import { shippedLexicon } from "../../../src/extraction/lexicon/ReadLexicon.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { printed } from "../pages/PrintedLines.ts"

const labelled = (label: string): Record<string, FieldDefinition> => ({
  code: { type: "identifier", labels: [label] }
})
const columns = (...names: ReadonlyArray<string>): Record<string, FieldDefinition> => ({
  lines: { type: "table", columns: Object.fromEntries(names.map((name) => [name, { type: "string" }])) }
})

const namesOf = (...names: ReadonlyArray<string>) =>
  fieldsOf(columns(...names), shippedLexicon())[0]?.columns.map(({ name }) => name)

const lines = printed(["Order A-100", "Parcel B-200"])

describe("fieldsOf", () => {
  it("makes the same field once", () => {
    const lexicon = shippedLexicon()
    assert.strictEqual(fieldsOf(labelled("Order"), lexicon)[0], fieldsOf(labelled("Order"), lexicon)[0])
  })

  it.effect("tells fields of one name apart by everything else, in one flow after another", () =>
    Effect.gen(function* () {
      const found = yield* Effect.forEach(["Order", "Parcel", "Order"], (label) =>
        extractByRules(lines, { fields: fieldsOf(labelled(label), shippedLexicon()), relations: [] })
      )
      assert.deepStrictEqual(
        found.map(({ code }) => code?.value),
        ["A-100", "B-200", "A-100"]
      )
    })
  )

  it("keeps the order of columns", () => {
    assert.deepStrictEqual(
      [namesOf("a", "b"), namesOf("b", "a")],
      [
        ["a", "b"],
        ["b", "a"]
      ]
    )
  })
})
