import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { Llm, type LlmRequest } from "../../src/providers/llm/Llm.ts"
import { type Answering, llmOf, modelServer, type Protocol } from "../support/ModelServer.ts"

const protocols: ReadonlyArray<Protocol> = ["ollama", "openai", "anthropic"]

const request: LlmRequest = {
  instructions: "Find the total.",
  content: [
    { type: "text", text: "Total 12.50" },
    { type: "image", mimeType: "image/png", bytes: Uint8Array.of(1, 2, 3) }
  ],
  schema: {
    name: "invoice",
    schema: {
      type: "object",
      properties: {
        total: { type: "number", minimum: 0 },
        note: { type: "string" },
        lines: { type: "array", items: { type: "string", pattern: "^[a-z]+$" } }
      },
      required: ["total", "lines"],
      additionalProperties: false
    }
  },
  maxTokens: 500
}

/** Asks a server that answers like this; gives the answer and the server. */
const asking = Effect.fnUntraced(function* (protocol: Protocol, answering: Answering, asked: LlmRequest) {
  const server = yield* modelServer(answering)
  const answer = yield* Effect.flatMap(Llm, (llm) => llm.choose({ environment: "live" })).pipe(
    Effect.flatMap((model) => model.ask(asked)),
    Effect.provide(llmOf(server, protocol, { pictures: Option.some(true) }))
  )
  return { answer, server }
})

describe.each(protocols)("a model of %s", (protocol) => {
  it.live("answers with JSON that fits, and says what it cost", () =>
    Effect.gen(function* () {
      const { answer, server } = yield* asking(
        protocol,
        () => ({ total: 12.5, note: null, lines: ["a"] }),
        request
      )
      // The optional property that the model had to name is gone again.
      assert.deepStrictEqual(answer, {
        value: { total: 12.5, lines: ["a"] },
        inputTokens: 120,
        outputTokens: 30
      })
      const [asked] = server.asked
      assert.include(asked?.instructions, "Find the total.")
      assert.strictEqual(asked?.text, "Total 12.50")
      assert.deepStrictEqual(
        asked?.images.map((image) => [...image]),
        [[1, 2, 3]]
      )
      assert.isObject(asked?.schema)
    })
  )

  it.live("answers with text where no schema is asked for", () =>
    Effect.gen(function* () {
      const { schema: _, ...plain } = request
      const { answer, server } = yield* asking(protocol, () => "Twelve and a half.\n", plain)
      assert.strictEqual(answer.value, "Twelve and a half.")
      assert.isUndefined(server.asked[0]?.schema)
    })
  )

  it.live("answers with what is no object", () =>
    Effect.gen(function* () {
      const list = { name: "list", schema: { type: "array", items: { type: "integer" } } }
      const { answer } = yield* asking(protocol, () => ({ value: [1, 2] }), { ...request, schema: list })
      assert.deepStrictEqual(answer.value, [1, 2])
    })
  )
})
