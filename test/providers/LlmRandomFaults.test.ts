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

/** Answers that are whole and wrong: the model is told once what is wrong, and may answer again. */
const wrong = [fault.truncatedJson, fault.invalidJson, fault.schemaViolation]
/** Answers that are none: the request is sent again. */
const none = [
  fault.truncated,
  () => fault.status(429, { retryAfter: "0" }),
  () => fault.status(500),
  fault.hang,
  fault.drop,
  fault.dropMidway,
  fault.huge
]
const faults = [...wrong, ...none]

const requests = process.env["DOCFLOW_TEST_LONG"] === "1" ? 400 : 100

describe.concurrent.each(protocols)("a server of %s with a fault in three of ten answers", (protocol) => {
  it.live("answers every request but those that it answers wrongly twice", () =>
    Effect.gen(function* () {
      const dice = yield* Effect.replicateEffect(Effect.all([Random.next, Random.next]), 10 * requests)
      const pages = Array.from({ length: requests }, () => ({ attempts: 0, wrong: 0 }))
      // By page and attempt, not by the order in which requests arrive, which is another one each time.
      const server = yield* modelServer(({ text }) => {
        const number = Number(/Page (\d+):/u.exec(text)?.[1])
        const page = pages[number] ?? { attempts: 0, wrong: 0 }
        const [whether = 1, which = 0] = dice[(10 * number + page.attempts) % dice.length] ?? []
        page.attempts += 1
        if (whether >= 0.3) return { total: 12.5 }
        const at = Math.floor(which * faults.length)
        if (at < wrong.length) page.wrong += 1
        return faults[at]?.()
      })
      const results = yield* Effect.flatMap(Llm, (llm) => llm.choose({ environment: "live" })).pipe(
        Effect.flatMap((model) =>
          Effect.forEach(pages, (_, page) => Effect.result(model.ask(requestOf(page))), { concurrency: 16 })
        ),
        Effect.provide(llmOf(server, protocol, { concurrency: 16, timeLimit: Duration.seconds(5) }))
      )
      const failed = results.flatMap((result, page) => (Result.isFailure(result) ? [page] : []))
      assert.deepStrictEqual(
        failed,
        pages.flatMap((page, number) => (page.wrong > 1 ? [number] : []))
      )
      assert.isAbove(server.asked.length, 1.2 * requests)
    }).pipe(Random.withSeed(`faults of ${protocol}`))
  )
})
