import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Random, Result } from "effect"
import { Llm, type LlmRequest } from "../../src/providers/llm/Llm.ts"
import { fault, llmOf, modelServer, type Protocol } from "../support/ModelServer.ts"

const protocols: ReadonlyArray<Protocol> = ["ollama", "openai", "anthropic"]

const requestOf = (number: number): LlmRequest => ({
  instructions: "Find the total.",
  content: [{ type: "text", text: `Page ${number}: total 12.50` }],
  schema: {
    name: "invoice",
    schema: { type: "object", properties: { total: { type: "number" } }, required: ["total"] }
  },
  maxTokens: 500
})

const faults = [
  fault.truncated,
  fault.truncatedJson,
  fault.invalidJson,
  fault.schemaViolation,
  () => fault.status(429, { retryAfter: "0" }),
  () => fault.status(500),
  fault.hang,
  fault.drop,
  fault.dropMidway,
  fault.huge
]

const isLong = process.env["DOCFLOW_TEST_LONG"] === "1"
const requests = isLong ? 400 : 100
/** One in a hundred; of few requests twice as many may have bad luck. */
const most = isLong ? 4 : 2

describe.concurrent.each(protocols)("a server of %s with a fault in three of ten answers", (protocol) => {
  it.live(`still answers at least ${requests - most} of ${requests} requests`, () =>
    Effect.gen(function* () {
      const dice = yield* Effect.replicateEffect(Effect.all([Random.next, Random.next]), 5 * requests)
      const attempts = new Map<number, number>()
      // By page and attempt, not by the order in which requests arrive, which is another one each time.
      const server = yield* modelServer(({ text }) => {
        const page = Number(/Page (\d+):/u.exec(text)?.[1])
        const attempt = attempts.get(page) ?? 0
        attempts.set(page, attempt + 1)
        const [whether = 1, which = 0] = dice[(5 * page + attempt) % dice.length] ?? []
        return whether < 0.3 ? faults[Math.floor(which * faults.length)]?.() : { total: 12.5 }
      })
      const results = yield* Effect.flatMap(Llm, (llm) => llm.choose({ environment: "live" })).pipe(
        Effect.flatMap((model) =>
          Effect.forEach(
            Array.from({ length: requests }, (_, page) => requestOf(page)),
            (request) => Effect.result(model.ask(request)),
            { concurrency: 16 }
          )
        ),
        Effect.provide(llmOf(server, protocol, { concurrency: 16, timeLimit: Duration.seconds(5) }))
      )
      const failures = results.flatMap((result) => (Result.isFailure(result) ? [result.failure.reason] : []))
      assert.isAtMost(failures.length, most, failures.join(" "))
      assert.isAbove(server.asked.length, 1.2 * requests)
    }).pipe(Random.withSeed(`three of ten by ${protocol}`))
  )
})
