import { assert, describe, expect, it } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
import type { ModelSettings } from "../../src/providers/llm/ModelSettings.ts"
import { Llm, type LlmFailure, type LlmRequest } from "../../src/providers/llm/Llm.ts"
import { type Answering, fault, llmOf, modelServer, type Protocol } from "../support/ModelServer.ts"

const protocols: ReadonlyArray<Protocol> = ["ollama", "openai", "anthropic"]

const request: LlmRequest = {
  instructions: "INSTRUCTIONS OF THE FLOW",
  content: [{ type: "text", text: "TEXT OF THE DOCUMENT" }],
  schema: {
    name: "invoice",
    schema: {
      type: "object",
      properties: { total: { type: "number" } },
      required: ["total"],
      additionalProperties: false
    }
  },
  maxTokens: 500
}
const good = { total: 12.5 }

const ask = (server: { readonly url: string }, protocol: Protocol, own: Partial<ModelSettings> = {}) =>
  Effect.flatMap(Llm, (llm) => llm.choose({ environment: "live" })).pipe(
    Effect.flatMap((model) => model.ask(request)),
    Effect.provide(llmOf(server, protocol, own))
  )

/** Long enough for the good answer that follows, on a machine that has much to do. */
const enough = { timeLimit: Duration.seconds(1) }
const short = { timeLimit: Duration.millis(300) }

type Told = Pick<LlmFailure, "reason"> & { readonly said: string }

/** Faults that another attempt may get past: what the first attempt costs in tokens, and how it is told when it stays. */
const passing: ReadonlyArray<readonly [string, () => unknown, Told]> = [
  ["500", () => fault.status(500), { reason: "unavailable", said: "answered 500" }],
  ["503", () => fault.status(503), { reason: "unavailable", said: "answered 503" }],
  ["529", () => fault.status(529), { reason: "unavailable", said: "answered 529" }],
  ["408", () => fault.status(408), { reason: "unavailable", said: "answered 408" }],
  ["429", () => fault.status(429, { retryAfter: "0" }), { reason: "limited", said: "answered 429" }],
  ["a dropped connection", fault.drop, { reason: "unavailable", said: "was lost (ECONNRESET)" }],
  ["a connection dropped midway", fault.dropMidway, { reason: "unavailable", said: "was lost" }],
  ["an answer cut off", fault.truncated, { reason: "bad-answer", said: "did not answer in" }],
  ["another protocol", fault.notProtocol, { reason: "bad-answer", said: "did not answer in" }],
  ["an answer of 100 MB", fault.huge, { reason: "unavailable", said: "more than 4 MB" }]
]

/** Answers that the model is told about, once. */
const correctable: typeof passing = [
  ["truncated JSON", fault.truncatedJson, { reason: "bad-answer", said: "is not valid JSON" }],
  ["invalid JSON", fault.invalidJson, { reason: "bad-answer", said: "is not valid JSON" }],
  [
    "a schema violation",
    fault.schemaViolation,
    { reason: "bad-answer", said: "does not fit the schema (required)" }
  ]
]

/** The same for faults that are over only after their time. */
const stalling: typeof passing = [
  ["a hang", fault.hang, { reason: "timed-out", said: "no whole answer came within 300ms" }],
  ["a slow drip", fault.drip, { reason: "timed-out", said: "no whole answer came within 300ms" }]
]

const isQuiet = ({ message }: LlmFailure): void => {
  expect(message).not.toMatch(/TEXT OF|INSTRUCTIONS|key-of-the-tests/u)
  expect(message).toMatch(/\.$/u)
}

const getsPast = (
  protocol: Protocol,
  make: () => unknown,
  { reason, said }: Told,
  attempts: number
): void => {
  const [once, always] = reason === "timed-out" ? [enough, short] : [{}, {}]

  it.live("once is asked again", () =>
    Effect.gen(function* () {
      const server = yield* modelServer((_, count) => (count === 1 ? make() : good))
      const answer = yield* ask(server, protocol, once)
      assert.deepStrictEqual(answer.value, good)
      assert.strictEqual(server.asked.length, 2)
    })
  )

  it.live("all the time is given up, and told", () =>
    Effect.gen(function* () {
      const server = yield* modelServer(make)
      const failure = yield* Effect.flip(ask(server, protocol, always))
      assert.strictEqual(failure.reason, reason)
      assert.include(failure.message, `${protocol}:test-model: `)
      isQuiet(failure)
      assert.include(failure.message, said)
      // On a busy machine, the time of an attempt can be over before the server has read its request.
      if (reason === "timed-out") assert.isAtMost(server.asked.length, attempts)
      else assert.strictEqual(server.asked.length, attempts)
    })
  )
}

describe.each(protocols)("%s", (protocol) => {
  describe.each(passing)("with %s", (_, make, told) => getsPast(protocol, make, told, 6))
  describe.each(correctable)("with %s", (_, make, told) => getsPast(protocol, make, told, 2))
  // They only wait: all at once.
  describe.concurrent.each(stalling)("with %s", (_, make, told) => getsPast(protocol, make, told, 3))

  const lasting: ReadonlyArray<readonly [string, Answering, LlmFailure["reason"], RegExp]> = [
    ["400", () => fault.status(400), "refused", /answered 400/u],
    ["401", () => fault.status(401), "refused", /answered 401/u],
    ["403", () => fault.status(403), "refused", /answered 403/u],
    ["404", () => fault.status(404, { message: "model not found" }), "model-missing", /test-model/u],
    ["413", () => fault.status(413), "too-long", /longer than the model's context/u],
    [
      "a request past the context",
      () => fault.status(400, { message: "prompt exceeds the context length of 8192" }),
      "too-long",
      /longer than the model's context/u
    ],
    ["an answer past its tokens", () => fault.cut(), "cut-off", /more than the 500 tokens/u],
    ["a redirect", () => fault.redirect("http://127.0.0.1:9/"), "refused", /redirect/u]
  ]

  describe.each(lasting)("with %s", (_, answering, reason, said) => {
    it.live("is not asked again", () =>
      Effect.gen(function* () {
        const server = yield* modelServer(answering)
        const failure = yield* Effect.flip(ask(server, protocol))
        assert.strictEqual(failure.reason, reason)
        assert.match(failure.message, said)
        isQuiet(failure)
        assert.strictEqual(server.asked.length, 1)
      })
    )
  })

  it.live("that is not there is told with its address", () =>
    Effect.gen(function* () {
      const server = yield* Effect.scoped(modelServer(() => good))
      const failure = yield* Effect.flip(ask(server, protocol))
      assert.strictEqual(failure.reason, "unavailable")
      assert.include(failure.message, `nothing answers at ${server.url}`)
    })
  )

  const slow = [
    ["before its answer", fault.hang],
    ["in the middle of its answer", fault.drip]
  ] as const
  it.live.each(slow)("sees its connection closed when nobody waits any more, %s", ([, answering]) =>
    Effect.gen(function* () {
      const server = yield* modelServer(answering)
      const fiber = yield* Effect.forkChild(ask(server, protocol))
      yield* Effect.repeat(Effect.sleep(5), { until: () => server.asked.length === 1 })
      yield* Fiber.interrupt(fiber)
      yield* Effect.repeat(Effect.sleep(5), { until: () => server.abandoned() === 1 })
      assert.strictEqual(server.sockets.size, 0)
    })
  )

  it.live("is asked by no more than may at once", () =>
    Effect.gen(function* () {
      const server = yield* modelServer(fault.hang)
      const all = Effect.flatMap(Llm, (llm) => llm.choose({ environment: "live" })).pipe(
        Effect.flatMap((model) => Effect.replicateEffect(model.ask(request), 9, { concurrency: 9 })),
        Effect.provide(llmOf(server, protocol, { concurrency: 3 }))
      )
      const fiber = yield* Effect.forkChild(all)
      yield* Effect.repeat(Effect.sleep(5), { until: () => server.asked.length >= 3 })
      yield* Effect.sleep(100)
      assert.strictEqual(server.asked.length, 3)
      yield* Fiber.interrupt(fiber)
    })
  )
})

describe("a refusal", () => {
  it.live.each(["openai", "anthropic"] as const)("of %s is not asked again", (protocol) =>
    Effect.gen(function* () {
      const server = yield* modelServer(fault.refusal)
      const failure = yield* Effect.flip(ask(server, protocol))
      assert.strictEqual(failure.reason, "refused")
      assert.strictEqual(server.asked.length, 1)
    })
  )
})
