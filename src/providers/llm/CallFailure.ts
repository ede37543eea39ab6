import { Schema } from "effect"
import { LlmFailure } from "./Llm.ts"

/** What a server may refuse of a request that it would answer otherwise. */
export const Refusal = Schema.Literals(["temperature", "maxTokens", "system", "thinking", "form"])
export type Refusal = typeof Refusal.Type

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
  /** What the provider refused, the most probable first: it may accept the request without that. */
  refuses: Schema.optionalKey(Schema.Array(Refusal)),
  /** The context that the server said it has, or the longest answer, in tokens. */
  contextTokens: Schema.optionalKey(Schema.Finite),
  outputTokens: Schema.optionalKey(Schema.Finite),
  /** Whether the model was still thinking when its answer was cut off. */
  thought: Schema.optionalKey(Schema.Boolean),
  /** The tokens of an answer that was of no use. */
  spent: Schema.optionalKey(Schema.Struct({ inputTokens: Schema.Finite, outputTokens: Schema.Finite })),
  /** What to tell the model about its answer: where it departs from the schema, in the words of the schema alone. */
  correction: Schema.optionalKey(Schema.String)
}) {}

/** A permanent failure of the request, from a healthy provider. */
export const final = (reason: (typeof CallFailure.Type)["reason"], what: string, todo: string): CallFailure =>
  new CallFailure({ reason, what, todo, again: false, down: false })

/** The execution, or its organization, has used what it may use of models. */
export const overBudget = (
  what: string,
  todo = "Ask for less, send a shorter document, or let the flow cost more credits"
): CallFailure => final("over-budget", what, todo)

/** The answer is not what was asked for; the model may correct it. */
export const badAnswer = (what: string, correction = what): CallFailure =>
  new CallFailure({ ...final("bad-answer", what, "Run it again, or take a larger model"), correction })

/** What came is no answer of the protocol. */
export const notProtocol = (address: string, protocol: string): CallFailure =>
  new CallFailure({
    reason: "bad-answer",
    what: `${address} did not answer in the protocol of ${protocol}`,
    todo: "Check the address in the settings",
    again: true,
    down: true
  })

/** There was no answer, or the connection was lost. */
export const unavailable = (what: string, todo: string): CallFailure =>
  new CallFailure({ reason: "unavailable", what, todo, again: true, down: true })

/** The answer exceeded its maximum number of tokens. */
export const cutOff = (maxTokens: number, details: Pick<CallFailure, "thought" | "spent">): CallFailure =>
  new CallFailure({
    ...final(
      "cut-off",
      `the answer needs more than the ${maxTokens} tokens that it may have`,
      "Ask for less at once"
    ),
    ...details
  })

/** The request does not fit into the model's context, of this size if the server says so. */
export const requestTooLong = (contextTokens?: number): CallFailure =>
  new CallFailure({
    ...final(
      "too-long",
      "the request is longer than the model's context",
      "Take a model with a larger context or a shorter document; DOCFLOW_LLM_CONTEXT must not be more than the server has"
    ),
    ...(contextTokens === undefined ? {} : { contextTokens })
  })

/** The model, or a filter in front of it, refused to answer. */
export const refusal = (): CallFailure =>
  final("refused", "the model refused to answer", "Take another model for such documents")
