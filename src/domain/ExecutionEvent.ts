import { Schema } from "effect"
import { ExecutionError } from "./Execution.ts"

/** What is kept in the log of an execution. */
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

/** One entry of the log. The entry that ends the log says only that and when: what it ended with is the execution's. */
export const LoggedEvent = Schema.Struct({
  seq: Schema.Int,
  at: Schema.String,
  kind: EventKind,
  data: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown))
})
export type LoggedEvent = typeof LoggedEvent.Type

const endings: ReadonlySet<EventKind> = new Set([
  "execution.completed",
  "execution.failed",
  "execution.cancelled"
])

/** Whether the log ends with an event of this kind. */
export const isEnding = (kind: EventKind): boolean => endings.has(kind)

const common = { executionId: Schema.String, at: Schema.String }

/** What an event says that is not about the end: the state, or a step and how much of the flow is done. */
export const StateEventData = Schema.Struct({
  ...common,
  status: Schema.Literals(["pending", "running"])
}).annotate({ identifier: "StateEventData" })

export const StepEventData = Schema.Struct({
  ...common,
  step: Schema.String,
  /** What is done of the whole flow, 0–100; it never falls. */
  percentage: Schema.Finite,
  durationMs: Schema.optionalKey(Schema.Finite),
  attempts: Schema.optionalKey(Schema.Int),
  /** Why a step failed. */
  error: Schema.optionalKey(ExecutionError),
  /** The execution from which a replay took the result over. */
  reusedFrom: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "StepEventData" })

export const ProgressEventData = Schema.Struct({
  executionId: Schema.String,
  step: Schema.String,
  percentage: Schema.Finite
}).annotate({ identifier: "ProgressEventData" })

/** An event as a caller sees it. Those of the log have an id; progress inside a step has none, it is only passing by. */
export interface ExecutionEvent {
  readonly id?: string
  readonly event: EventKind | "progress"
  readonly data: object
}
