import { Effect, Exit, Option, Result } from "effect"
import { formatModelName, type ModelName } from "../../domain/ModelName.ts"
import { type CallFailure, overBudget, type Refusal } from "./CallFailure.ts"
import type { Guard } from "./Guard.ts"
import { type LlmAnswer, LlmFailure, type LlmModel, type LlmRequest, requestHash } from "./Llm.ts"
import { countRequest, countTokens, type TokenPrice } from "./LlmMetrics.ts"
import { ModelAccounts } from "./ModelAccounts.ts"
import { ModelRun } from "./ModelRun.ts"
import type { Connected, Manner, RawAnswer } from "./Provider.ts"
import { answerReader } from "./ReadAnswer.ts"
import { estimateTokens, requestTokens } from "./Tokens.ts"
import { defined } from "../../support/Defined.ts"

/** The temperature after a wrong answer: at a higher one, a model that repeats itself says something else. */
const freer = 0.4
/** The longest part of a wrong answer that is shown to the model again, in characters. */
const longestShown = 4000
/** What a model gets for its thoughts when it was cut off while it thought, and how that grows. */
const firstThinking = 4096
const moreThinking = 4
const budgetRemedy = "Raise the organization's budget of tokens, or wait for the next month"
/** Enough to find out all that a server refuses. */
const mostLearned = 12

const limits: ReadonlyArray<Manner["limit"]> = ["usual", "other", "none"]

/** What a server showed that it accepts; for all requests to the model from then on. */
interface Learned {
  /** How many ways to make each part of a request it refused. */
  readonly refused: Record<Refusal, number>
  /** How many ways there are. */
  readonly ways: Readonly<Record<Refusal, number>>
  tellsSchema: boolean
  thinkingTokens: number
  contextTokens: number
  outputTokens: number | undefined
}

/** Learns from the failure of a request that was made as `used` says; false if the same request would fail again. */
const learn = (learned: Learned, used: Learned, failure: CallFailure): boolean => {
  const { contextTokens, outputTokens, reason, refuses = [], thought } = failure
  if (contextTokens !== undefined && contextTokens > 0)
    learned.contextTokens = Math.min(learned.contextTokens, contextTokens)
  if (reason === "cut-off" && thought === true) {
    const more = Math.max(firstThinking, moreThinking * used.thinkingTokens)
    const most = Math.min(more, Math.floor(learned.contextTokens / 2))
    learned.thinkingTokens = Math.max(learned.thinkingTokens, most)
    return learned.thinkingTokens > used.thinkingTokens
  }
  if (outputTokens !== undefined && outputTokens < (used.outputTokens ?? Infinity)) {
    learned.outputTokens = Math.min(outputTokens, learned.outputTokens ?? Infinity)
    return true
  }
  const open = refuses.find((refusal) => used.refused[refusal] + 1 < used.ways[refusal])
  if (open !== undefined) learned.refused[open] = Math.max(learned.refused[open], used.refused[open] + 1)
  return open !== undefined
}

/** A failure for people. */
export const described = (model: string, { reason, todo, what }: CallFailure, tokensUsed = 0): LlmFailure =>
  new LlmFailure({
    reason,
    message: `${model}: ${what}. ${todo}.`,
    ...(tokensUsed === 0 ? {} : { tokensUsed })
  })

/** A model with guarded requests, validated answers, traces and metrics. */
export const guardedModel = (
  name: ModelName,
  connected: Connected,
  guard: Guard,
  price?: TokenPrice
): LlmModel => {
  const model = formatModelName(name)
  const { seesPictures } = connected
  const learned: Learned = {
    refused: { temperature: 0, maxTokens: 0, system: 0, thinking: 0, form: 0 },
    ways: { temperature: 2, maxTokens: limits.length, system: 2, thinking: 2, form: connected.forms.length },
    tellsSchema: false,
    thinkingTokens: connected.thinkingTokens,
    contextTokens: connected.contextTokens,
    outputTokens: undefined
  }
  return {
    name: model,
    get contextTokens() {
      return learned.contextTokens
    },
    get outputTokens() {
      return learned.outputTokens
    },
    seesPictures,
    ask: (request) =>
      (seesPictures || request.content.every(({ type }) => type === "text")
        ? askOnce(model, request, askGuarded(model, connected, learned, guard, request, price))
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

/** An execution asks nothing twice: what it was answered before it was tried again is kept. */
const askOnce = Effect.fnUntraced(function* (
  model: string,
  request: LlmRequest,
  asking: Effect.Effect<LlmAnswer, LlmFailure>
) {
  const { answers } = yield* ModelRun
  if (answers === undefined) return yield* asking
  const key = requestHash(model, request)
  const kept = answers.byRequest.get(key)
  if (kept !== undefined) return kept
  return yield* Effect.tap(asking, (answer) => {
    answers.byRequest.set(key, answer)
    return Effect.uninterruptible(answers.keep(key, answer))
  })
})

const askGuarded = Effect.fnUntraced(function* (
  model: string,
  { attempt, forms, temperature }: Connected,
  learned: Learned,
  guard: Guard,
  request: LlmRequest,
  price: TokenPrice | undefined
) {
  // Wrong answers are paid for, too.
  const spent = { inputTokens: 0, outputTokens: 0 }
  const { allowance, flow, organization } = yield* ModelRun
  const accounts = yield* ModelAccounts
  const needed = requestTokens(request)
  let made = 0
  let correct: Manner["correct"]
  let wrong: RawAnswer | undefined
  const spend = (tokens: Pick<LlmAnswer, "inputTokens" | "outputTokens">) => {
    spent.inputTokens += tokens.inputTokens
    spent.outputTokens += tokens.outputTokens
    allowance?.spend(tokens.inputTokens + tokens.outputTokens)
    return countTokens({ model, organization, ...defined({ flow }) }, tokens, price)
  }
  /** Makes an attempt within the organization's budget. */
  const withinBudget = <A>(tokens: number, once: Effect.Effect<A, CallFailure>) => {
    const before = spent.inputTokens + spent.outputTokens
    return Effect.acquireUseRelease(
      Effect.flatMap(accounts.hold(organization, tokens), (words) =>
        words === undefined ? Effect.void : overBudget(words, budgetRemedy)
      ),
      () => once,
      () => accounts.settle(organization, spent.inputTokens + spent.outputTokens - before - tokens)
    )
  }
  const mannerNow = (began: () => void): Manner => ({
    form: forms[learned.refused.form] ?? "words",
    tellsSchema: learned.tellsSchema,
    temperature:
      temperature === undefined || learned.refused.temperature > 0
        ? undefined
        : Math.max(temperature, correct === undefined ? 0 : freer),
    maxTokens: Math.min(request.maxTokens + learned.thinkingTokens, learned.outputTokens ?? Infinity),
    limit: limits[learned.refused.maxTokens] ?? "none",
    system: learned.refused.system === 0,
    thinking: learned.refused.thinking === 0,
    ...(correct === undefined ? {} : { correct }),
    began
  })
  const read = yield* Effect.mapError(answerReader(request.schema), (failure) => described(model, failure))

  /** Asks as the server is known to accept, and learns what it refuses. */
  const adapted = (began: () => void): Effect.Effect<unknown, CallFailure> =>
    Effect.gen(function* () {
      for (let tries = 1; ; tries++) {
        // Requests under way together are refused the same: it is learned once.
        const used = { ...learned, refused: { ...learned.refused } }
        const manner = mannerNow(began)
        const once = Effect.suspend(() => {
          made++
          return attempt(request, manner)
        }).pipe(
          Effect.tap(spend),
          Effect.tapError((failure) => (failure.spent === undefined ? Effect.void : spend(failure.spent)))
        )
        const shown = correct === undefined ? 0 : estimateTokens(correct.answer + correct.correction)
        const most = needed + shown + manner.maxTokens
        const paid = withinBudget(most, once)
        const result = yield* (allowance?.within(most, paid, overBudget) ?? paid).pipe(
          Effect.flatMap((answer) => {
            wrong = answer
            return read(answer, manner.maxTokens)
          }),
          Effect.result
        )
        if (Result.isSuccess(result)) return result.success
        if (tries > mostLearned || !learn(learned, used, result.failure)) return yield* result.failure
        began()
      }
    })

  const value = yield* guard(adapted).pipe(
    Effect.catch((failure) => {
      if (failure.reason !== "bad-answer" || failure.correction === undefined || wrong === undefined)
        return Effect.fail(failure)
      // The model is told once what is wrong.
      learned.tellsSchema ||= request.schema !== undefined
      const answer = wrong.text.slice(0, longestShown).trim() || "(nothing)"
      correct = { answer, correction: failure.correction }
      return guard(adapted)
    }),
    Effect.mapError((failure) => described(model, failure, spent.inputTokens + spent.outputTokens))
  )
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
