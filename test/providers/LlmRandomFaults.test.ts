import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Random, Result } from "effect"
import { Llm, type LlmRequest } from "../../src/providers/llm/Llm.ts"
import { fault, llmOf, modelServer, type Protocol } from "../support/ModelServer.ts"

const protocols: ReadonlyArray<Protocol> = ["ollama", "openai", "anthropic"]

const request: LlmRequest = {
  instructions: "Find the total.",
  content: [{ type: "text", text: "Total 12.50" }],
  schema: {
    name: "invoice",
    schema: { type: "object", properties: { total: { type: "number" } }, required: ["total"] }
  },
  maxTokens: 500
}

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
      const dice = yield* Effect.replicateEffect(Effect.all([Random.next, Random.next]), 2000)
      const server = yield* modelServer((_, count) => {
        const [whether = 1, which = 0] = dice[count % dice.length] ?? []
        return whether < 0.3 ? faults[Math.floor(which * faults.length)]?.() : { total: 12.5 }
      })
      const results = yield* Effect.flatMap(Llm, (llm) => llm.choose({ environment: "live" })).pipe(
        Effect.flatMap((model) =>
          Effect.replicateEffect(Effect.result(model.ask(request)), requests, { concurrency: 16 })
        ),
        Effect.provide(llmOf(server, protocol, { concurrency: 16, timeLimit: Duration.seconds(5) }))
      )
      const failures = results.flatMap((result) => (Result.isFailure(result) ? [result.failure.reason] : []))
      assert.isAtMost(failures.length, most, failures.join(" "))
      assert.isAbove(server.asked.length, 1.2 * requests)
    }).pipe(Random.withSeed(`faults of ${protocol}`))
  )
})
