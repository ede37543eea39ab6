import { Schema } from "effect"
import { ExecutionError } from "./Execution.ts"

/** The kinds of entries in the log of an execution. */
export const EventKind = Schema.Literals([
  "execution.pending",
  "execution.running",
  "step.reused",
  "step.started",
  "step.completed",
  "step.failed",
  "step.skipped",
  "execution.completed",
  "execution.failed",
  "execution.cancelled"
])
export type EventKind = typeof EventKind.Type

/**
 * One entry of the log. The last entry says only that the execution ended, and when; the result is part of the
 * execution.
 */
export const LoggedEvent = Schema.Struct({
  seq: Schema.Int,
  at: Schema.String,
  kind: EventKind,
  data: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown))
})
export type LoggedEvent = typeof LoggedEvent.Type

const common = { executionId: Schema.String, at: Schema.String }

/** The data of an event other than the last: the state, or a step and the progress of the flow. */
export const StateEventData = Schema.Struct({
  ...common,
  status: Schema.Literals(["pending", "running"])
}).annotate({ identifier: "StateEventData" })

export const StepEventData = Schema.Struct({
  ...common,
  step: Schema.String,
  /** The progress of the whole flow, 0–100; never decreases. */
  percentage: Schema.Finite,
  durationMs: Schema.optionalKey(Schema.Finite),
  attempts: Schema.optionalKey(Schema.Int),
  /** Why a step failed. */
  error: Schema.optionalKey(ExecutionError),
  /** The execution whose result a replay reused. */
  reusedFrom: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "StepEventData" })

export const ProgressEventData = Schema.Struct({
  executionId: Schema.String,
  step: Schema.String,
  percentage: Schema.Finite
}).annotate({ identifier: "ProgressEventData" })

/**
 * An event as a caller sees it. Entries of the log have an id; progress inside a step has none, because it is not
 * logged.
 */
export interface ExecutionEvent {
  readonly id?: string
  readonly event: EventKind | "progress"
  readonly data: object
}
