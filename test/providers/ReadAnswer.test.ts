import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { answerReader } from "../../src/providers/llm/ReadAnswer.ts"

const schema = {
  name: "invoice",
  schema: {
    type: "object",
    properties: {
      total: { type: "number" },
      note: { type: "string" },
      day: { type: "string", format: "date" },
      "a/b": { type: "object", properties: { c: { type: "string", pattern: "^[a-z]+$" } } },
      may: { type: ["string", "null"] },
      list: { type: "array", items: { type: "integer" } },
      set: { type: "array", uniqueItems: true }
    },
    required: ["total"],
    additionalProperties: false
  }
}

const read = (text: string, wrapped = false) =>
  Effect.flatMap(answerReader(schema), (reader) => reader({ text, wrapped }))

describe("an answer", () => {
  const good: ReadonlyArray<readonly [string, string, unknown]> = [
    ["that fits is taken as it is", '{"total":1,"may":null}', { total: 1, may: null }],
    [
      "after thoughts and words is found",
      '<think>{"total":9}?</think>Here it is: {"total":1} Done.',
      { total: 1 }
    ],
    ["in a fence among words is found", 'Sure!\n```json\n{"total": 1}\n```\nAnything else?', { total: 1 }],
    ["loses what was not asked for", '{"total":1,"more":1}', { total: 1 }],
    ["in strings is read as what it is", '{"total":"1,284.50 EUR","list":"7"}', { total: 1284.5, list: [7] }],
    ["gets null for what is left out", '{"total":1}', { total: 1 }],
    ["with a comma too many is read", '{"total":1,"list":[1,2,],}', { total: 1, list: [1, 2] }],
    ["with bare keys and single quotes is read", "{total: 1, note: 'a'}", { total: 1, note: "a" }],
    ["with keys spelled otherwise is read", '{"Total":1,"A_B":{"c":"x"}}', { total: 1, "a/b": { c: "x" } }],
    ["in a wrapper is unwrapped", '{"invoice":{"total":1}}', { total: 1 }],
    ["in a list of one is taken out of it", '[{"total":1}]', { total: 1 }],
    ["between backquotes is taken out of them", '```json\n{"total":1}\n```', { total: 1 }],
    [
      "loses the nulls of what is optional",
      '{"total":1,"note":null,"a/b":{"c":null},"list":null}',
      { total: 1, "a/b": {} }
    ]
  ]
  it.effect.each(good)("%s", ([, text, value]) =>
    Effect.map(read(text), (found) => assert.deepStrictEqual(found, value))
  )

  it.effect.each(['{"said":null,"rows":null}', '{"rows":[]}'])(
    "may say in %s that there is nothing",
    (text) =>
      Effect.gen(function* () {
        const said = {
          type: "object",
          properties: { value: { type: ["string", "null"] }, page: { type: ["integer", "null"] } },
          required: ["value", "page"]
        } as const
        const rows = { type: "array", items: { type: "integer" } } as const
        const fields = { type: "object", properties: { said, rows }, required: ["said", "rows"] } as const
        const reader = yield* answerReader({ name: "fields", schema: fields })
        const found = yield* reader({ text, wrapped: false })
        assert.deepStrictEqual(found, { said: { value: null, page: null }, rows: [] })
      })
  )

  it.effect("of ten thousands of different lists is read", () =>
    Effect.gen(function* () {
      const set = Array.from({ length: 60_000 }, (_, index) => [index])
      assert.deepStrictEqual(yield* read(JSON.stringify({ total: 1, set })), { total: 1, set })
    })
  )

  const bad: ReadonlyArray<readonly [string, string, string]> = [
    ["that is empty", "", "is not valid JSON"],
    ["without what is required", "{}", "does not fit the schema (required)"],
    ["with a null for what is required", '{"total":null}', "does not fit the schema (type)"],
    ["with a day that does not exist", '{"total":1,"day":"2026-02-30"}', "does not fit the schema (format)"],
    ["with a null in a list", '{"total":1,"list":[null]}', "does not fit the schema (type)"],
    [
      "with a pattern that does not match",
      '{"total":1,"a/b":{"c":"A1"}}',
      "does not fit the schema (pattern)"
    ],
    ["with the same twice", '{"total":1,"set":[{"a":1,"b":2},{"b":2,"a":1}]}', "(uniqueItems)"],
    ["nested very deeply", "[".repeat(1_000_000), "is nested too deeply"],
    [
      "of more than a million characters",
      `[${"0,".repeat(1_000_000)}0]`,
      "is longer than a million characters"
    ],
    ["of a million empty lines behind backquotes", `\`\`\`\n${"\n".repeat(900_000)}x`, "is not valid JSON"],
    ["of empty lines between backquotes", `\`\`\`\n${"\n".repeat(900_000)}\`\`\``, "is not valid JSON"]
  ]
  it.effect.each(bad)("%s is refused", ([, text, said]) =>
    Effect.map(Effect.flip(read(text)), (failure) => {
      assert.strictEqual(failure.reason, "bad-answer")
      assert.include(failure.what, said)
    })
  )

  it.effect("that was wrapped is unwrapped", () =>
    Effect.map(read('{"value":{"total":2}}', true), (value) => assert.deepStrictEqual(value, { total: 2 }))
  )
})
