import { Context, Effect, Layer, Schema } from "effect"
import { Llm, LlmFailure, type LlmModel, requestHash } from "../../providers/llm/Llm.ts"

const RecordedModel = Schema.Struct({
  name: Schema.String,
  contextTokens: Schema.Int,
  seesPictures: Schema.Boolean
})

/** Answers of models by the hash of the request; neither the request nor a secret is stored. */
export const AnswersFile = Schema.Struct({
  /** The version of this format. */
  answers: Schema.Literal(1),
  /** The models by the name that steps use; `""` is the first model of the settings. */
  models: Schema.Record(Schema.String, RecordedModel),
  byRequest: Schema.Record(
    Schema.String,
    Schema.Struct({ value: Schema.Json, inputTokens: Schema.Int, outputTokens: Schema.Int })
  )
})
export type AnswersFile = typeof AnswersFile.Type
type Models = Record<string, AnswersFile["models"][string]>
type ByRequest = Record<string, AnswersFile["byRequest"][string]>

/** A tape: either records the answers of models, or replays them. */
export type Tape =
  | { readonly mode: "record"; readonly models: Models; readonly byRequest: ByRequest }
  | { readonly mode: "replay"; readonly recorded: AnswersFile }

/** The tape of the current run; without one, models are asked and nothing is recorded. */
export const CurrentTape = Context.Reference<Tape | undefined>("docflow/RecordedAnswers/CurrentTape", {
  defaultValue: () => undefined
})

/** An empty tape to record on. */
export const emptyTape = (): Extract<Tape, { readonly mode: "record" }> => ({
  mode: "record",
  models: {},
  byRequest: {}
})

/** The recorded answers, in an order that does not depend on the run, so that files can be compared. */
export const answersOf = (tape: Extract<Tape, { readonly mode: "record" }>): AnswersFile => ({
  answers: 1,
  models: sorted(tape.models),
  byRequest: sorted(tape.byRequest)
})

const sorted = <A>(entries: Readonly<Record<string, A>>): Record<string, A> =>
  Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)))

const recording = (model: LlmModel, byRequest: ByRequest): LlmModel => ({
  ...model,
  ask: (request) =>
    Effect.tap(model.ask(request), ({ inputTokens, outputTokens, value }) =>
      Effect.sync(() => {
        const kept = Schema.is(Schema.Json)(value) ? value : null
        byRequest[requestHash(model.name, request)] = { value: kept, inputTokens, outputTokens }
      })
    )
})

const notRecorded = (what: string): LlmFailure =>
  new LlmFailure({
    reason: "not-configured",
    message: `${what} Record it with a model configured: docflow test <flow> --record.`
  })

const replayed = ({ byRequest, models }: AnswersFile, key: string): Effect.Effect<LlmModel, LlmFailure> => {
  const model = Object.hasOwn(models, key) ? models[key] : undefined
  if (model === undefined)
    return Effect.fail(notRecorded("No answer of a model is recorded for this test set."))
  return Effect.succeed({
    ...model,
    ask: (request) => {
      const asked = requestHash(model.name, request)
      const answer = Object.hasOwn(byRequest, asked) ? byRequest[asked] : undefined
      return answer === undefined
        ? Effect.fail(
            notRecorded(`No answer of ${model.name} is recorded for this request, or it has changed.`)
          )
        : Effect.succeed(answer)
    }
  })
}

/** The models of `Llm`, recorded or replayed if the run has a tape. */
export const layer: Layer.Layer<Llm, never, Llm> = Layer.effect(
  Llm,
  Effect.map(Llm, (models) =>
    Llm.of({
      ...models,
      choose: Effect.fnUntraced(function* (choice) {
        const tape = yield* CurrentTape
        const key = choice.model ?? ""
        if (tape?.mode === "replay") return yield* replayed(tape.recorded, key)
        const model = yield* models.choose(choice)
        if (tape === undefined) return model
        const { contextTokens, name, seesPictures } = model
        tape.models[key] = { name, contextTokens, seesPictures }
        return recording(model, tape.byRequest)
      })
    })
  )
)
