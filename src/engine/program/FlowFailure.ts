import { Schema } from "effect"
import { FailureCode } from "../../domain/FailureCode.ts"

/** A flow ended with an error: what the execution's `error` says. */
export class FlowFailure extends Schema.TaggedError<FlowFailure>()("FlowFailure", {
  code: FailureCode,
  message: Schema.String,
  step: Schema.optionalKey(Schema.String),
  /** What the step had found before it failed: shown in its artifacts, and invisible to other steps. */
  findings: Schema.optionalKey(Schema.Unknown)
}) {}

const longestMessage = 4096

/** Truncates a message that is stored, logged and sent in webhooks: it may come from an author or another service. */
export const shortened = (message: string): string =>
  message.length <= longestMessage ? message : `${message.slice(0, longestMessage - 1).toWellFormed()}…`
