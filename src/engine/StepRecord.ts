import { Schema } from "effect"
import { ExecutionError } from "../domain/Execution.ts"

/** What the journal keeps of a step that has finished. */
export const StepRecord = Schema.Struct({
  path: Schema.String,
  kind: Schema.String,
  status: Schema.Literals(["completed", "failed", "skipped"]),
  startedAt: Schema.Date,
  durationMs: Schema.Finite,
  attempts: Schema.Int,
  /** What later steps see; null when it was skipped. Of a failed step, what it had found by then: no step sees that. */
  output: Schema.Unknown,
  error: Schema.optionalKey(ExecutionError)
})
export type StepRecord = typeof StepRecord.Type
