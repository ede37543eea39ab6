import { Effect, Exit, Option } from "effect"
import { formatModelName, type ModelName } from "../../domain/ModelName.ts"
import { type LlmAnswer, LlmFailure, type LlmModel, type LlmRequest } from "./Llm.ts"
import type { Guard } from "./Guard.ts"
import { countRequest, countTokens } from "./LlmMetrics.ts"
import type { Connected, Manner, RawAnswer } from "./Provider.ts"
import { answerReader } from "./ReadAnswer.ts"

/**
 * The temperature after an invalid answer: a model that repeats an invalid answer gives a different one at a higher
 * temperature.
 */
const freer = 0.4

/** A model with guarded requests, validated answers, traces and metrics. */
export const guardedModel = (name: ModelName, connected: Connected, guard: Guard): LlmModel => {
  const model = formatModelName(name)
  const { contextTokens, seesPictures } = connected
  return {
    name: model,
    contextTokens,
    seesPictures,
    ask: (request) =>
      (seesPictures || request.content.every(({ type }) => type === "text")
        ? askGuarded(model, connected, guard, request)
        : Effect.fail(blind(model))
      ).pipe(
        Effect.onExit((exit) => countRequest(model, outcomeOf(exit))),
        Effect.withSpan(
          "model.ask",
          {
            kind: "client",
            attributes: {
              "gen_ai.provider.name": name.provider,
              ...(name.provider === "echo" ? {} : { "gen_ai.request.model": name.model })
            }
          },
          { captureStackTrace: false }
        )
      )
  }
}

const askGuarded = Effect.fnUntraced(function* (
  model: string,
  { attempt }: Connected,
  guard: Guard,
  request: LlmRequest
) {
  // Invalid answers are paid for, too.
  const spent = { inputTokens: 0, outputTokens: 0 }
  let made = 0
  let temperature = 0
  const spend = (answer: RawAnswer) => {
    spent.inputTokens += answer.inputTokens
    spent.outputTokens += answer.outputTokens
    return countTokens(model, answer)
  }
  const once = Effect.suspend(() => {
    made++
    const manner: Manner = { constrained: true, temperature }
    return Effect.flatMap(answerReader(request.schema), (read) =>
      attempt(request, manner).pipe(
        Effect.catch((failure) =>
          failure.formRefused === true && request.schema !== undefined
            ? attempt(request, { ...manner, constrained: false })
            : Effect.fail(failure)
        ),
        Effect.tap(spend),
        Effect.flatMap((answer) =>
          Effect.tapError(read(answer), () => Effect.sync(() => void (temperature = freer)))
        )
      )
    )
  })
  const value = yield* guard(once)
  yield* Effect.annotateCurrentSpan({
    "docflow.model.attempts": made,
    "gen_ai.usage.input_tokens": spent.inputTokens,
    "gen_ai.usage.output_tokens": spent.outputTokens
  })
  return { value, ...spent } satisfies LlmAnswer
})

const blind = (model: string): LlmFailure =>
  new LlmFailure({
    reason: "refused",
    message: `${model} does not accept pictures. Use a model that does, or set DOCFLOW_LLM_PICTURES=yes if this one does.`
  })

const outcomeOf = (exit: Exit.Exit<unknown, LlmFailure>) => {
  const failure = Exit.findErrorOption(exit)
  if (Exit.isSuccess(exit)) return "answered"
  return Option.isSome(failure) ? failure.value.reason : "interrupted"
}
