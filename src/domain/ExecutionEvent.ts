import { Schema } from "effect"

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
