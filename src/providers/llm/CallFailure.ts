import { Schema } from "effect"
import { LlmFailure } from "./Llm.ts"

/** One attempt to ask a model failed. It contains nothing from a document, a prompt, an answer or a key. */
export class CallFailure extends Schema.TaggedError<CallFailure>()("CallFailure", {
  reason: LlmFailure.fields.reason,
  /** What went wrong: `the server answered 500`. */
  what: Schema.String,
  /** What to do about it, without a full stop. */
  todo: Schema.String,
  /** Whether the same request may succeed if it is repeated. */
  again: Schema.Boolean,
  /** Whether it shows that the provider is unhealthy, and so counts for the breaker. */
  down: Schema.Boolean,
  /** What the provider sent as `Retry-After`. */
  retryAfter: Schema.optionalKey(Schema.String),
  /** The provider refused the requested output format, and may accept the request without it. */
  formRefused: Schema.optionalKey(Schema.Boolean)
}) {}

/** A permanent failure of the request, from a healthy provider. */
export const final = (reason: (typeof CallFailure.Type)["reason"], what: string, todo: string): CallFailure =>
  new CallFailure({ reason, what, todo, again: false, down: false })

/** The answer is invalid, or violates the protocol (`down`); the next one may be valid. */
export const badAnswer = (what: string, down = false): CallFailure =>
  new CallFailure({
    reason: "bad-answer",
    what,
    todo: down ? "Check the address in the settings" : "Run it again, or take a larger model",
    again: true,
    down
  })

/** There was no answer, or the connection was lost. */
export const unavailable = (what: string, todo: string): CallFailure =>
  new CallFailure({ reason: "unavailable", what, todo, again: true, down: true })

/** The answer exceeded its maximum number of tokens. */
export const answerTooLong = (maxTokens: number): CallFailure =>
  final(
    "cut-off",
    `the answer needs more than the ${maxTokens} tokens that it may have`,
    "Ask for less at once"
  )

/** The request does not fit into the model's context. */
export const requestTooLong = (): CallFailure =>
  final(
    "too-long",
    "the request is longer than the model's context",
    "Take a model with a larger context or a shorter document; DOCFLOW_LLM_CONTEXT must not be more than the server has"
  )

/** The model, or a filter in front of it, refused to answer. */
export const refusal = (): CallFailure =>
  final("refused", "the model refused to answer", "Take another model for such documents")
