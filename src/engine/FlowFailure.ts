import { Schema } from "effect"
import { FailureCode } from "../domain/FailureCode.ts"

/** A flow ended with an error: what the execution's `error` says. */
export class FlowFailure extends Schema.TaggedError<FlowFailure>()("FlowFailure", {
  code: FailureCode,
  message: Schema.String,
  step: Schema.optionalKey(Schema.String),
  /** What the step had found by then: its artifacts show it, and no step sees it. */
  findings: Schema.optionalKey(Schema.Unknown)
}) {}

const longestMessage = 4096

/** A message that is stored, logged and sent in webhooks: an author's text, or another service's, cut where it is too long. */
export const shortened = (message: string): string =>
  message.length <= longestMessage ? message : `${message.slice(0, longestMessage - 1).toWellFormed()}…`
