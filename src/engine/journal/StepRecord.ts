import { Schema } from "effect"
import { ExecutionError } from "../../domain/Execution.ts"

/** The journal's record of a finished step. */
export const StepRecord = Schema.Struct({
  path: Schema.String,
  kind: Schema.String,
  status: Schema.Literals(["completed", "failed", "skipped"]),
  startedAt: Schema.Date,
  durationMs: Schema.Finite,
  attempts: Schema.Int,
  /**
   * What later steps see; null if it was skipped. For a failed step, what it had found before; invisible to other
   * steps.
   */
  output: Schema.Unknown,
  error: Schema.optionalKey(ExecutionError)
})
export type StepRecord = typeof StepRecord.Type
