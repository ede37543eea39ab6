import { Schema } from "effect"

/** A value that a person corrected or confirmed, as the earlier version and as the new one gave it. */
const BacktestValue = Schema.Struct({
  path: Schema.String.annotate({ description: "JSON Pointer of the value in the output." }),
  expected: Schema.Unknown,
  before: Schema.Unknown,
  after: Schema.Unknown,
  verdict: Schema.Literals(["stayed-right", "became-right", "became-wrong", "stayed-wrong"])
})

/** A corrected execution, and its replay with the new version. */
const BacktestExecution = Schema.Struct({
  executionId: Schema.String,
  status: Schema.Literals(["running", "completed", "failed", "refused"]).annotate({
    description:
      "State of the replay. Send the same request again while it is `running`. `refused`: there is no replay, for example because the document is no longer stored."
  }),
  replayId: Schema.optionalKey(Schema.String),
  message: Schema.optionalKey(Schema.String),
  values: Schema.Array(BacktestValue),
  new: Schema.Array(Schema.String).annotate({
    description: "JSON Pointers of values that changed, and that nobody corrected or confirmed."
  })
})
export type BacktestExecution = typeof BacktestExecution.Type

/** A part of the corrected executions of a flow, run again with a version. */
export const Backtest = Schema.Struct({
  version: Schema.String,
  total: Schema.Int.annotate({ description: "Number of corrected executions of the flow." }),
  executions: Schema.Array(BacktestExecution),
  next: Schema.NullOr(Schema.String).annotate({
    description: "`after` of the next part; null if this is the last one."
  })
}).annotate({ identifier: "Backtest" })
export type Backtest = typeof Backtest.Type
