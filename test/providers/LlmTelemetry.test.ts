import { assert, describe, it } from "@effect/vitest"
import { Effect, Metric, Tracer } from "effect"
import { Llm } from "../../src/providers/llm/Llm.ts"
import { ModelRun } from "../../src/providers/llm/ModelRun.ts"
import { llmOf, modelServer } from "../support/ModelServer.ts"

/** The metrics of one model: name, attributes but the model, and count. */
const countsOf = (model: string) =>
  Effect.map(Metric.snapshot, (all) =>
    all.flatMap(({ attributes = {}, id, state }) => {
      const { model: named, ...rest } = attributes
      return named === model && "count" in state
        ? [[id, ...Object.values(rest), Number(state.count)].join(" ")]
        : []
    })
  )

describe("a request to a model", () => {
  it.live("is seen in traces and metrics, without a word of it", () =>
    Effect.gen(function* () {
      const spans: Array<Tracer.NativeSpan> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
      const server = yield* modelServer((_, count) => (count === 1 ? "no JSON" : { secret: "ANSWER" }))
      const own = { models: [{ provider: "openai", model: "watched" }] } as const
      yield* Effect.flatMap(Llm, (llm) => llm.choose({ environment: "live" })).pipe(
        Effect.flatMap((model) =>
          model.ask({
            instructions: "INSTRUCTIONS",
            content: [{ type: "text", text: "DOCUMENT" }],
            schema: { name: "any", schema: { type: "object", properties: { secret: { type: "string" } } } },
            maxTokens: 100
          })
        ),
        Effect.provideService(ModelRun, { organization: "", flow: "invoice" }),
        Effect.provide(llmOf(server, "openai", own)),
        Effect.withTracer(tracer)
      )
      const asked = spans.find(({ name }) => name === "model.ask")
      assert.deepStrictEqual(Object.fromEntries(asked?.attributes ?? []), {
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "watched",
        "docflow.model.attempts": 2,
        "gen_ai.usage.input_tokens": 240,
        "gen_ai.usage.output_tokens": 60
      })
      const told = JSON.stringify(
        spans.map(({ attributes, events, name }) => [name, [...attributes], events])
      )
      assert.notMatch(told, /INSTRUCTIONS|DOCUMENT|ANSWER|no JSON|key-of-the-tests/u)
      const counts = yield* countsOf("openai:watched")
      assert.sameMembers(counts, [
        "model_requests_total answered 1",
        // The list of models is asked for first.
        "model_attempts_total answered 2",
        "model_attempts_total bad-answer 1",
        "model_attempt_duration_ms 3",
        "model_tokens_total invoice input 240",
        "model_tokens_total invoice output 60"
      ])
    })
  )
})
