import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { groundRows } from "../../../src/extraction/grounding/GroundRows.ts"
import { searchableText } from "../../../src/extraction/grounding/SearchableText.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { documentOf, look, pageOf } from "./GroundingPages.ts"

// Without limits each of these takes minutes and more: the time limit of a test is what tells.
describe("a document that is made to be searched for ever", () => {
  it.effect("repeats the beginning of a value down a column", () =>
    Effect.gen(function* () {
      const rows = Array.from({ length: 58 }, () => "ab")
      const pages = Array.from({ length: 40 }, (_, i) => pageOf([...rows, "zzzz xyz"], i + 1))
      const value = `${"ab".repeat(40)}xyz`
      const found = yield* look(documentOf(...pages), { type: "string" }, { value })
      assert.isUndefined(found)
    })
  )

  it.effect("prints the cells of a row everywhere", () =>
    Effect.gen(function* () {
      const columns = { a: "integer", b: "integer", c: "money", d: "integer" } as const
      const field = fieldOf("items", { type: "table", columns })
      const rows = Array.from({ length: 55 }, () => "1 1 1 1 1 1 1 1 1 1 1 1")
      const pages = Array.from({ length: 100 }, (_, i) => pageOf(rows, i + 1))
      const searchable = yield* searchableText(documentOf(...pages), [field], undefined)
      const claims = Array.from({ length: 20 }, () => ({ row: { a: 1, b: 1, c: 1, d: 1 } }))
      const { absent, place } = yield* groundRows(searchable, field, claims)
      assert.isEmpty(absent)
      assert.isDefined(place)
    })
  )

  it.effect.each(["a", ":", "-", "1", "1,", "a@", "合1"])("has words of half a million %s", (part) =>
    Effect.gen(function* () {
      const types = [
        "string",
        "identifier",
        "money",
        "currency",
        "percent",
        "vatId",
        "email",
        "phone"
      ] as const
      const fields = types.map((type) => fieldOf(type, { type, labels: ["Total"] }))
      const word = `${part.repeat(500_000)}x`
      const document = documentOf(pageOf([`Total: ${word}`, `${word} EUR 5.00`]))
      const found = yield* extractByRules(document, { fields, relations: [] })
      assert.hasAllKeys(found, [...types])
    })
  )

  it.effect.each(["1", "Total 5.00", "ab"])("has rows of thousands of words %s", (part) =>
    Effect.gen(function* () {
      const types = ["string", "identifier", "money", "integer"] as const
      const fields = types.map((type) => fieldOf(type, { type, labels: ["Sum"] }))
      const row = `${part} `.repeat(2000)
      const document = documentOf(pageOf([row, `${row} Sum 5.00`]))
      const found = yield* extractByRules(document, { fields, relations: [] })
      assert.hasAllKeys(found, [...types])
      assert.isUndefined(yield* look(document, { type: "string" }, { value: `${row.slice(0, 3000)}x` }))
    })
  )
})
