import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { echoModel } from "../../src/providers/llm/EchoModel.ts"
import { Llm, type LlmRequest } from "../../src/providers/llm/Llm.ts"
import {
  answersOf,
  CurrentTape,
  emptyTape,
  layer,
  type Tape
} from "../../src/services/test-sets/RecordedAnswers.ts"
import { defined } from "../../src/support/Defined.ts"

const request: LlmRequest = {
  instructions: "Say what it is.",
  content: [
    { type: "text", text: "the secret text of a document" },
    { type: "image", mimeType: "image/png", bytes: Buffer.from("a picture") }
  ],
  maxTokens: 100
}

const ask = (tape: Tape | undefined, asked = request, model?: string) =>
  Effect.gen(function* () {
    const models = yield* Llm
    const chosen = yield* models.choose({ environment: "live", ...defined({ model }) })
    return { name: chosen.name, contextTokens: chosen.contextTokens, ...(yield* chosen.ask(asked)) }
  }).pipe(Effect.provideService(CurrentTape, tape))

const withEcho = layer.pipe(Layer.provide(Layer.succeed(Llm, { choose: () => Effect.succeed(echoModel) })))
const withNothing = layer.pipe(Layer.provide(Llm.layerNone))

const recorded = Effect.gen(function* () {
  const tape = emptyTape()
  const answer = yield* Effect.provide(ask(tape), withEcho)
  return { answer, recorded: answersOf(tape) }
})

describe("recorded answers", () => {
  it.effect("are given again where no model is set, and say nothing of the request", () =>
    Effect.gen(function* () {
      const { answer, recorded: kept } = yield* recorded
      const again = yield* Effect.provide(ask({ mode: "replay", recorded: kept }), withNothing)
      assert.deepEqual(again, answer)
      const { value: _, ...rest } = Object.values(kept.byRequest)[0] ?? { value: undefined }
      assert.notInclude(
        JSON.stringify({ models: kept.models, rest, keys: Object.keys(kept.byRequest) }),
        "secret"
      )
    })
  )

  it.effect("belong to one request: another text, picture, schema or length is none of them", () =>
    Effect.gen(function* () {
      const tape: Tape = { mode: "replay", recorded: (yield* recorded).recorded }
      const others: ReadonlyArray<Partial<LlmRequest>> = [
        { content: [{ type: "text", text: "another" }] },
        { content: [{ type: "image", mimeType: "image/png", bytes: Buffer.from("another") }] },
        { schema: { name: "a", schema: { type: "object" } } },
        { instructions: "Say it again." },
        { maxTokens: 99 }
      ]
      for (const other of others) {
        const failure = yield* Effect.flip(Effect.provide(ask(tape, { ...request, ...other }), withEcho))
        assert.include(failure.message, "No answer of echo is recorded for this request")
        assert.include(failure.message, "--record")
      }
      const failure = yield* Effect.flip(Effect.provide(ask(tape, request, "ollama:other"), withEcho))
      assert.include(failure.message, "No answer of a model is recorded for this test set")
    })
  )

  it.effect("are not asked for where nothing is recorded or replayed", () =>
    Effect.gen(function* () {
      const answer = yield* Effect.provide(ask(undefined), withEcho)
      assert.strictEqual(answer.name, "echo")
      const failure = yield* Effect.flip(Effect.provide(ask(undefined), withNothing))
      assert.include(failure.message, "DOCFLOW_LLM")
    })
  )
})
