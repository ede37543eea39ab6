import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { type ModelSettings, modelSettings } from "../../src/providers/llm/ModelSettings.ts"
import * as LlmModels from "../../src/providers/llm/LlmModels.ts"
import { Llm, type LlmChoice, type LlmRequest } from "../../src/providers/llm/Llm.ts"
import { fault, llmOf, modelServer, type Protocol } from "../support/ModelServer.ts"

const request: LlmRequest = {
  instructions: "Find the total.",
  content: [{ type: "text", text: "Total 12.50" }],
  schema: {
    name: "an invoice",
    schema: { type: "object", properties: { total: { type: "number" } }, required: ["total"] }
  },
  maxTokens: 500
}
const good = { total: 12.5 }
const live = { environment: "live" } as const

const choose = (
  server: { readonly url: string },
  protocol: Protocol,
  own: Partial<ModelSettings> = {},
  choice: LlmChoice = live
) => Effect.flatMap(Llm, (llm) => llm.choose(choice)).pipe(Effect.provide(llmOf(server, protocol, own)))

const nowhere = { url: "http://127.0.0.1:9" }

it.live("what a server refuses of requests under way together is learned once", () =>
  Effect.gen(function* () {
    const all = Promise.withResolvers<void>()
    const server = yield* modelServer(async ({ body }, count) => {
      if (count === 4) all.resolve()
      await all.promise
      return JSON.stringify(body).includes('"strict":true')
        ? fault.status(400, { message: "response_format: strict is not supported" })
        : good
    })
    const model = yield* choose(server, "openai")
    yield* Effect.replicateEffect(model.ask(request), 4, { concurrency: 4 })
    assert.lengthOf(server.asked, 8)
    for (const { body } of server.asked.slice(4))
      assert.nestedPropertyVal(Object(body), "response_format.type", "json_schema")
  })
)

describe("a choice", () => {
  const models = [
    { provider: "ollama", model: "a:7b" },
    { provider: "openai", model: "b" },
    { provider: "echo", model: "" }
  ] as const

  it.live("is the first model, or the one that is named", () =>
    Effect.gen(function* () {
      const server = yield* modelServer(() => good)
      assert.strictEqual((yield* choose(server, "ollama", { models })).name, "ollama:a:7b")
      const named = yield* choose(server, "ollama", { models }, { ...live, model: "openai:b" })
      assert.strictEqual(named.name, "openai:b")
      assert.strictEqual(
        (yield* choose(server, "ollama", { models }, { ...live, model: "echo" })).name,
        "echo"
      )
    })
  )

  it.effect("is echo for a test key, whatever is named or set", () =>
    Effect.gen(function* () {
      const test = { environment: "test", model: "openai:b" } as const
      assert.strictEqual((yield* choose(nowhere, "ollama", { models }, test)).name, "echo")
      assert.strictEqual((yield* choose(nowhere, "ollama", { models: [] }, test)).name, "echo")
    })
  )

  it.effect("fails with what to set", () =>
    Effect.gen(function* () {
      for (const [provider, setting] of [
        ["openai", "OPENAI_API_KEY"],
        ["anthropic", "ANTHROPIC_API_KEY"]
      ] as const) {
        const layer = LlmModels.layer({ ...(yield* modelSettings), models: [{ provider, model: "m" }] })
        const keyless = yield* Effect.flip(
          Effect.flatMap(Llm, (llm) => llm.choose(live)).pipe(Effect.provide(layer))
        )
        assert.strictEqual(keyless.reason, "not-configured")
        assert.include(keyless.message, `no key is set. Set ${setting} or the organization's own key`)
      }
      const none = yield* Effect.flip(choose(nowhere, "ollama", { models: [] }))
      assert.deepInclude(none, {
        reason: "not-configured",
        message: "No model is set; set DOCFLOW_LLM, like ollama:llama3.2."
      })
      const other = yield* Effect.flip(choose(nowhere, "ollama", { models }, { ...live, model: "openai:c" }))
      assert.deepInclude(other, {
        reason: "model-missing",
        message: "The model openai:c is not in DOCFLOW_LLM, which has ollama:a:7b, openai:b, echo."
      })
    })
  )
})

const named = (model: string) => ({ models: [{ provider: "ollama", model }] }) as const

describe("a model of ollama", () => {
  it.live("that is not there is told with the command that gets it", () =>
    Effect.gen(function* () {
      const server = yield* modelServer(() => good)
      const failure = yield* Effect.flip(choose(server, "ollama", named("missing-model")))
      assert.strictEqual(failure.reason, "model-missing")
      assert.include(failure.message, "Get it with: ollama pull missing-model.")
    })
  )

  it.live("gets the context that it has, streams, and stays in memory", () =>
    Effect.gen(function* () {
      const server = yield* modelServer(() => good)
      const model = yield* choose(server, "ollama")
      assert.strictEqual(model.contextTokens, 8192)
      assert.isTrue(model.seesPictures)
      yield* model.ask(request)
      assert.deepInclude(server.asked[0]?.body, {
        stream: true,
        keep_alive: "15m",
        truncate: false,
        options: { num_ctx: 8192, num_predict: 500, temperature: 0 }
      })
      const own = yield* choose(server, "ollama", { contextTokens: Option.some(2048) })
      assert.strictEqual(own.contextTokens, 2048)
    })
  )

  it.live("that takes no pictures is not sent any", () =>
    Effect.gen(function* () {
      const server = yield* modelServer(() => good)
      const model = yield* choose(server, "ollama", named("blind-model"))
      assert.isFalse(model.seesPictures)
      const image = { type: "image", mimeType: "image/png", bytes: Uint8Array.of(1) } as const
      const failure = yield* Effect.flip(model.ask({ ...request, content: [image] }))
      assert.strictEqual(failure.reason, "refused")
      assert.strictEqual(server.asked.length, 0)
    })
  )

  it.live("that fails after it has begun to answer is asked again", () =>
    Effect.gen(function* () {
      const failing = fault.errorInStream("llama runner process has terminated")
      const server = yield* modelServer((_, count) => (count === 1 ? failing : good))
      const answer = yield* (yield* choose(server, "ollama")).ask(request)
      assert.deepStrictEqual(answer.value, good)
    })
  )

  it.live("that can make no grammar of the schema is asked in words", () =>
    Effect.gen(function* () {
      const refused = fault.status(500, { message: "failed to parse grammar" })
      const server = yield* modelServer(({ schema }) => (schema === undefined ? good : refused))
      const answer = yield* (yield* choose(server, "ollama")).ask(request)
      assert.deepStrictEqual(answer.value, good)
      assert.strictEqual(server.asked.length, 3)
    })
  )

  it.live("that needs more memory than there is, is told so at once", () =>
    Effect.gen(function* () {
      const message = "model requires more system memory (9.1 GiB) than is available (3.2 GiB)"
      const server = yield* modelServer(() => fault.status(500, { message }))
      const failure = yield* Effect.flip((yield* choose(server, "ollama")).ask(request))
      assert.deepInclude(failure, { reason: "unavailable" })
      assert.include(failure.message, "has too little memory for the model. Take a smaller model")
      assert.strictEqual(server.asked.length, 1)
    })
  )

  it.live("whose server cut the prompt gives no answer", () =>
    Effect.gen(function* () {
      const server = yield* modelServer(() => good)
      // The server counts 120 tokens of prompt.
      const model = yield* choose(server, "ollama", { contextTokens: Option.some(120) })
      const failure = yield* Effect.flip(model.ask(request))
      assert.strictEqual(failure.reason, "too-long")
    })
  )
})

describe("a model of openai", () => {
  it.live("has the context that the server says, or a small one", () =>
    Effect.gen(function* () {
      const server = yield* modelServer(() => good)
      assert.strictEqual((yield* choose(server, "openai")).contextTokens, 32_768)
      const models = [{ provider: "openai", model: "unlisted" }] as const
      assert.strictEqual((yield* choose(server, "openai", { models })).contextTokens, 8192)
      assert.isFalse((yield* choose(server, "openai")).seesPictures)
    })
  )

  it.live("is asked strictly, with the key", () =>
    Effect.gen(function* () {
      const server = yield* modelServer(() => good)
      yield* (yield* choose(server, "openai")).ask(request)
      const [asked] = server.asked
      assert.strictEqual(asked?.headers.authorization, "Bearer key-of-the-tests")
      assert.deepInclude(asked?.body, {
        max_tokens: 500,
        response_format: {
          type: "json_schema",
          json_schema: {
            name: "an_invoice",
            strict: true,
            schema: {
              type: "object",
              properties: { total: { type: "number" } },
              required: ["total"],
              additionalProperties: false
            }
          }
        }
      })
    })
  )
})

describe.each(["openai", "anthropic"] as const)("a server of %s", (protocol) => {
  it.live("that refuses the form is asked without it, in words", () =>
    Effect.gen(function* () {
      const refused = fault.status(400, { message: "response_format / output_config: Invalid schema" })
      const server = yield* modelServer(({ schema }) =>
        schema === undefined ? '```json\n{"total":1}\n```' : refused
      )
      const answer = yield* (yield* choose(server, protocol)).ask(request)
      assert.deepStrictEqual(answer.value, { total: 1 })
      assert.include(server.asked.at(-1)?.instructions, '"required":["total"]')
      assert.notInclude(server.asked[0]?.instructions, '"required":["total"]')
    })
  )

  it.live("that sends the request elsewhere does not send the key there", () =>
    Effect.gen(function* () {
      const other = yield* modelServer(() => good)
      const path = protocol === "openai" ? "/v1/chat/completions" : "/v1/messages"
      const server = yield* modelServer(() => fault.redirect(`${other.url}${path}`))
      yield* Effect.flip((yield* choose(server, protocol)).ask(request))
      assert.strictEqual(other.asked.length, 0)
    })
  )

  it.live("is asked more freely after an answer that did not fit, whose tokens count", () =>
    Effect.gen(function* () {
      const server = yield* modelServer((_, count) => (count === 1 ? "no JSON" : good))
      const answer = yield* (yield* choose(server, protocol)).ask(request)
      assert.deepStrictEqual(answer, { value: good, inputTokens: 240, outputTokens: 60 })
    })
  )
})
