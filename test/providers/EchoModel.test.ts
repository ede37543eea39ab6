import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { echoModel } from "../../src/providers/llm/EchoModel.ts"
import type { LlmRequest } from "../../src/providers/llm/Llm.ts"

const request: LlmRequest = {
  instructions: "Say it.",
  content: [
    { type: "text", text: "The first text." },
    { type: "text", text: "One two\nthree four five six seven eight nine ten eleven twelve thirteen" }
  ],
  maxTokens: 100
}

const echoOf = (schema: { readonly [keyword: string]: unknown }) =>
  echoModel.ask({ ...request, schema: { name: "test", schema } })

describe("echo", () => {
  it.effect("repeats the first words of the last text", () =>
    Effect.gen(function* () {
      const answer = yield* echoModel.ask(request)
      assert.deepStrictEqual(answer, {
        value: "echo: One two three four five six seven eight nine ten eleven twelve",
        inputTokens: 0,
        outputTokens: 0
      })
    })
  )

  const object = {
    type: "object",
    properties: {
      known: { type: ["string", "null"] },
      kind: { enum: ["invoice", "receipt"] },
      maybe: { enum: ["yes", null] },
      total: { type: "number", exclusiveMinimum: 0, multipleOf: 0.5 },
      count: { type: "integer", minimum: 3 },
      below: { type: "integer", maximum: -2 },
      day: { type: "string", format: "date" },
      code: { type: "string", minLength: 6, maxLength: 6 },
      short: { type: "string", maxLength: 2 },
      either: { anyOf: [{ type: "integer" }, { type: "null" }] },
      lines: { type: "array", items: { $ref: "#/$defs/Line" }, minItems: 1 },
      none: { type: "array", items: { type: "string" } },
      flag: { type: "boolean", default: true },
      optional: { type: "string" }
    },
    required: [
      "known",
      "kind",
      "maybe",
      "total",
      "count",
      "below",
      "day",
      "code",
      "short",
      "either",
      "lines",
      "none",
      "flag"
    ],
    additionalProperties: false,
    $defs: {
      Line: { type: "object", properties: { text: { const: "x" } }, required: ["text"] }
    }
  }

  it.effect("gives the poorest value that fits a schema, always the same", () =>
    Effect.gen(function* () {
      const answer = yield* echoOf(object)
      assert.deepStrictEqual(answer.value, {
        known: null,
        kind: "invoice",
        maybe: null,
        total: 0.5,
        count: 3,
        below: -2,
        day: "2000-01-01",
        code: "echo..",
        short: "ec",
        either: null,
        lines: [{ text: "x" }],
        none: [],
        flag: true
      })
      assert.deepStrictEqual(yield* echoOf(object), answer)
    })
  )

  it.effect("gives no value to a schema that has none it knows", () =>
    Effect.gen(function* () {
      const patterned = yield* Effect.flip(echoOf({ type: "string", pattern: "^[0-9]{4}$" }))
      assert.strictEqual(patterned.reason, "bad-answer")
      assert.include(patterned.message, "echo: it knows no value")
      const endless = yield* Effect.flip(
        echoOf({ type: "object", properties: { next: { $ref: "#" } }, required: ["next"] })
      )
      assert.strictEqual(endless.reason, "bad-answer")
      const broken = yield* Effect.flip(echoOf({ type: "nonsense" }))
      assert.strictEqual(broken.reason, "refused")
    })
  )
})
