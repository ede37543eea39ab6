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
