import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Result } from "effect"
import { Llm, type LlmModel, type LlmRequest } from "../../src/providers/llm/Llm.ts"
import type { ModelSettings } from "../../src/providers/llm/ModelSettings.ts"
import { endpointOf } from "../../src/providers/llm/OpenAiEndpoint.ts"
import { ModelAllowance, ModelRun } from "../../src/providers/llm/ModelRun.ts"
import { type Answering, type Asked, fault, llmOf, modelServer } from "../support/ModelServer.ts"
import { Fault } from "../support/model-server/Faults.ts"

const request: LlmRequest = {
  instructions: "Find the total.",
  content: [{ type: "text", text: "Total 12.50" }],
  schema: {
    name: "invoice",
    schema: {
      type: "object",
      properties: { total: { type: "number" }, note: { type: ["string", "null"] } },
      required: ["total", "note"],
      additionalProperties: false
    }
  },
  maxTokens: 500
}
const good = { total: 12.5, note: null }

const chosen = (answering: Answering, own: Partial<ModelSettings> = {}) =>
  Effect.gen(function* () {
    const server = yield* modelServer(answering)
    const model = yield* Effect.flatMap(Llm, (llm) => llm.choose({ environment: "live" })).pipe(
      Effect.provide(llmOf(server, "openai", own))
    )
    return { server, model }
  })

const askAs = (model: LlmModel, organization: string) =>
  Effect.provideService(model.ask(request), ModelRun, { organization })

const within = (model: LlmModel, allowance: ModelAllowance) =>
  Effect.provideService(model.ask(request), ModelRun, { organization: "", allowance })

const error = (message: string, more: object = {}) => ({ error: { message, ...more } })

/** Answers each after the one before it. */
const inTurn = (ms: number) => {
  let last = Promise.resolve()
  return (): Promise<unknown> => {
    const answer = last.then(() => new Promise<void>((resolve) => setTimeout(resolve, ms)))
    last = answer
    return answer.then(() => good)
  }
}

/** A response as it is. */
const raw = (status: number, body: unknown, type = "application/json") =>
  new Fault((_, response) => {
    response.writeHead(status, { "content-type": type })
    response.end(typeof body === "string" ? body : JSON.stringify(body))
  })
const completion = (message: object, rest: object = {}, usage: unknown = null) =>
  raw(200, { choices: [{ index: 0, finish_reason: "stop", message, ...rest }], usage })
const bodyOf = ({ body }: Asked): Record<string, unknown> => Object(body)

describe("a nearly right answer", () => {
  const json = JSON.stringify(good)
  const answers: ReadonlyArray<readonly [string, Fault]> = [
    ["with content in parts", completion({ content: [{ type: "text", text: json }] })],
    ["among the thoughts", completion({ content: "", reasoning_content: json })],
    ["after thoughts", completion({ content: `<think>{"total": 1}? No.</think>\n${json}` })],
    ["in a call of a tool", completion({ content: null, tool_calls: [{ function: { arguments: json } }] })],
    ["with half of its usage", completion({ content: json }, {}, { prompt_tokens: 7 })],
    ["without a reason to end", completion({ content: json }, { finish_reason: null })],
    ["in words and a fence", completion({ content: `Here you are:\n\`\`\`json\n${json}\n\`\`\`\nBye!` })],
    ["with numbers in strings", completion({ content: '{"total": "12.50", "note": null}' })],
    ["with a key left out, one too many and a comma", completion({ content: '{"total": 12.5, "more": 1,}' })]
  ]
  it.live.each(answers)("%s is read with one request", ([, answer]) =>
    Effect.gen(function* () {
      const { model, server } = yield* chosen(() => answer)
      assert.deepStrictEqual((yield* model.ask(request)).value, good)
      assert.strictEqual(server.asked.length, 1)
    })
  )

  it.live("that stays wrong is told to the model once, and its tokens are counted", () =>
    Effect.gen(function* () {
      const { model, server } = yield* chosen(() => ({ total: "a lot" }))
      const failure = yield* Effect.flip(model.ask(request))
      assert.deepInclude(failure, { reason: "bad-answer", tokensUsed: 300 })
      assert.strictEqual(server.asked.length, 2)
      assert.match(
        JSON.stringify(server.asked[1]?.body),
        /a lot.*#\/properties\/total\/type: must be number/u
      )
    })
  )
})

describe("what an execution may use", () => {
  it.live("is never exceeded: requests wait for each other where both might be too much", () =>
    Effect.gen(function* () {
      const { model, server } = yield* chosen(() => good)
      const allowance = new ModelAllowance({ requests: 10, tokens: 1000 })
      const asking = Effect.result(within(model, allowance))
      const results = yield* Effect.all([asking, asking, asking, asking, asking], {
        concurrency: "unbounded"
      })
      // An answer uses 150 tokens, and a request might use some 650.
      assert.strictEqual(results.filter(Result.isSuccess).length, 3)
      assert.strictEqual(server.asked.length, 3)
      for (const result of results.filter(Result.isFailure)) {
        assert.strictEqual(result.failure.reason, "over-budget")
        assert.match(result.failure.message, /may use 10 requests and 1000 tokens.*has used 3 and 450/u)
      }
    })
  )

  it.live("counts every attempt, and what was paid before", () =>
    Effect.gen(function* () {
      const { model, server } = yield* chosen(() => ({ total: "a lot" }))
      const paid = { value: good, inputTokens: 120, outputTokens: 30 }
      const allowance = new ModelAllowance({ requests: 3, tokens: 10_000 }, [paid])
      assert.deepInclude(yield* Effect.flip(within(model, allowance)), { reason: "bad-answer" })
      assert.deepInclude(yield* Effect.flip(within(model, allowance)), { reason: "over-budget" })
      assert.strictEqual(server.asked.length, 2)
    })
  )
})

describe("what a server refuses", () => {
  const refusals: ReadonlyArray<
    readonly [string, (body: Record<string, unknown>) => unknown, unknown, string?]
  > = [
    ["the temperature", (body) => body["temperature"], error("Unsupported value: 'temperature'")],
    [
      "max_tokens",
      (body) => body["max_tokens"],
      error("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
    ],
    [
      "the system role",
      (body) => JSON.stringify(body["messages"]).includes('"role":"system"') || undefined,
      error("System role not supported")
    ],
    [
      "a strict schema, in a list as Gemini does",
      (body) => (JSON.stringify(body).includes("additionalProperties") ? true : undefined),
      [error('Unknown name "additionalProperties" at response_format')]
    ],
    [
      "any schema, as Groq does",
      (body) => (JSON.stringify(body).includes("json_schema") ? true : undefined),
      error("Failed to validate JSON", { code: "json_validate_failed" })
    ],
    [
      "the form, in plain text",
      (body) => body["response_format"],
      "Failed to deserialize the JSON body: response_format: unknown field",
      "text/plain"
    ],
    [
      "the temperature, as FastAPI does",
      (body) => body["temperature"],
      { detail: [{ loc: ["body", "temperature"], msg: "Extra inputs are not permitted", input: 0 }] }
    ]
  ]
  it.live.each(refusals)("%s is left out from then on", ([, has, body, type]) =>
    Effect.gen(function* () {
      const { model, server } = yield* chosen((asked) =>
        has(bodyOf(asked)) === undefined ? good : raw(422, body, type)
      )
      assert.deepStrictEqual((yield* model.ask(request)).value, good)
      const made = server.asked.length
      assert.isAtMost(made, 4)
      assert.deepStrictEqual((yield* model.ask(request)).value, good)
      assert.strictEqual(server.asked.length, made + 1)
    })
  )

  it.live("says how long an answer may be, and how large the context is", () =>
    Effect.gen(function* () {
      const { model } = yield* chosen((asked) =>
        Number(bodyOf(asked)["max_tokens"]) > 200
          ? raw(
              400,
              error("max_tokens is too large: 500. This model supports at most 200 completion tokens.")
            )
          : raw(400, error("the request exceeds the available context size", { n_ctx: 4096 }))
      )
      assert.strictEqual((yield* Effect.flip(model.ask(request))).reason, "too-long")
      assert.deepStrictEqual([model.outputTokens, model.contextTokens], [200, 4096])
    })
  )

  it.live("inside an answer, as OpenRouter does, is what it is", () =>
    Effect.gen(function* () {
      const limited = raw(200, { error: { message: "Rate limit exceeded", code: 429 } })
      const { model, server } = yield* chosen((_, count) => (count === 1 ? limited : good))
      assert.deepStrictEqual((yield* model.ask(request)).value, good)
      assert.strictEqual(server.asked.length, 2)
    })
  )
})

describe("a model that thinks", () => {
  it.live("gets room for it, once it was cut off", () =>
    Effect.gen(function* () {
      const { model, server } = yield* chosen((asked) =>
        Number(bodyOf(asked)["max_tokens"]) < 4000
          ? completion({ content: "<think>Hmm" }, { finish_reason: "length" })
          : good
      )
      assert.deepStrictEqual((yield* model.ask(request)).value, good)
      yield* model.ask(request)
      assert.strictEqual(server.asked.length, 3)
    })
  )

  it.live("says only what it thought to say", () =>
    Effect.gen(function* () {
      const { model } = yield* chosen(() => "<think>A summary, then.</think>\n\nIt is short.")
      const { schema: _, ...plain } = request
      assert.strictEqual((yield* model.ask(plain)).value, "It is short.")
    })
  )
})

describe("a server that answers one at a time", () => {
  it.live("has its time for each, not for all that wait", () =>
    Effect.gen(function* () {
      const { model, server } = yield* chosen(inTurn(300), {
        timeLimit: Duration.millis(900),
        concurrency: 6
      })
      yield* Effect.replicateEffect(model.ask(request), 6, { concurrency: 6 })
      assert.strictEqual(server.asked.length, 6)
    })
  )

  it.live("is shared by organizations", () =>
    Effect.gen(function* () {
      const { model } = yield* chosen(inTurn(20), { concurrency: 2 })
      const order: Array<string> = []
      const one = (name: string) => Effect.tap(askAs(model, name), () => Effect.sync(() => order.push(name)))
      yield* Effect.all([...Array.from({ length: 20 }, () => one("many")), one("few")], {
        concurrency: "unbounded"
      })
      assert.isBelow(order.indexOf("few"), 5)
    })
  )
})

describe("an address", () => {
  const azure = "https://docs.openai.azure.com"
  const addresses: ReadonlyArray<readonly [string, string]> = [
    [`${azure}/`, `${azure}/openai/v1/chat/completions`],
    [`${azure}/openai/v1/`, `${azure}/openai/v1/chat/completions`],
    [
      `${azure}/openai/deployments/gpt/chat/completions?api-version=2024-10-21`,
      `${azure}/openai/deployments/gpt/chat/completions?api-version=2024-10-21`
    ],
    [
      `${azure}?api-version=2024-10-21`,
      `${azure}/openai/deployments/gpt/chat/completions?api-version=2024-10-21`
    ],
    [
      "https://generativelanguage.googleapis.com",
      "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions"
    ],
    ["http://localhost:1234", "http://localhost:1234/v1/chat/completions"],
    ["https://api.groq.com/openai/v1", "https://api.groq.com/openai/v1/chat/completions"]
  ]
  it.each(addresses)("%s is completed", (written, complete) => {
    assert.strictEqual(endpointOf(written, "gpt").at("chat/completions"), complete)
  })

  it.live("of Azure gets its key as Azure wants it", () =>
    Effect.gen(function* () {
      const headers: Array<unknown> = []
      const server = yield* modelServer(() => fault.status(404))
      const model = Effect.flatMap(Llm, (llm) => llm.choose({ environment: "live" })).pipe(
        Effect.flatMap((model) => model.ask(request)),
        Effect.provide(
          llmOf({ url: `${server.url}/openai/deployments/gpt?api-version=2024-10-21&x=` }, "openai")
        )
      )
      yield* Effect.flip(model)
      headers.push(...server.others.map((other) => other["api-key"]))
      assert.deepStrictEqual(headers, ["key-of-the-tests"])
    })
  )
})
