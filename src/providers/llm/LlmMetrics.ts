import { Effect, Metric } from "effect"
import type { LlmAnswer, LlmFailure } from "./Llm.ts"

const requests = Metric.counter("model_requests_total", {
  description: "Requests to models, by model and outcome; each with all its attempts.",
  incremental: true
})
const attempts = Metric.counter("model_attempts_total", {
  description: "Attempts to ask models, by model and outcome.",
  incremental: true
})
const tokens = Metric.counter("model_tokens_total", {
  description:
    "Tokens of requests and answers, as the providers count them, by model, organization, flow and direction.",
  incremental: true
})
const costs = Metric.counter("model_cost_dollars_total", {
  description:
    "What models cost by the prices of DOCFLOW_MODELS, in dollars, by model, organization and flow.",
  incremental: true
})
const durations = Metric.histogram("model_attempt_duration_ms", {
  description: "How long attempts to ask models took, in milliseconds.",
  boundaries: [100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000, 120_000, 300_000]
})

/** The outcome of a request: success, or a reason of `LlmFailure`. */
export type Outcome = "answered" | "interrupted" | LlmFailure["reason"]

/** Counts an attempt; `durationMs` in milliseconds. */
export const countAttempt = (model: string, outcome: Outcome, durationMs: number): Effect.Effect<void> =>
  Effect.andThen(
    Metric.update(Metric.withAttributes(attempts, { model, outcome }), 1),
    Metric.update(Metric.withAttributes(durations, { model }), durationMs)
  )

/** Counts a request with all its attempts. */
export const countRequest = (model: string, outcome: Outcome): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(requests, { model, outcome }), 1)

/** Dollars for a million tokens. */
export interface TokenPrice {
  readonly input: number
  readonly output: number
}

/** What tokens are counted by. */
export interface TokensOf {
  readonly model: string
  /** Empty outside a service. */
  readonly organization: string
  readonly flow?: string
}

/** Counts the tokens of an answer, and what they cost where their price is set. */
export const countTokens = (
  { flow = "", model, organization }: TokensOf,
  { inputTokens, outputTokens }: Pick<LlmAnswer, "inputTokens" | "outputTokens">,
  price: TokenPrice | undefined
): Effect.Effect<void> => {
  const by = { model, ...(organization === "" ? {} : { organization }), ...(flow === "" ? {} : { flow }) }
  const counted = (direction: string) => Metric.withAttributes(tokens, { ...by, direction })
  const cost = price === undefined ? 0 : (inputTokens * price.input + outputTokens * price.output) / 1e6
  return Effect.all(
    [
      Metric.update(counted("input"), inputTokens),
      Metric.update(counted("output"), outputTokens),
      ...(price === undefined ? [] : [Metric.update(Metric.withAttributes(costs, by), cost)])
    ],
    { discard: true }
  )
}
