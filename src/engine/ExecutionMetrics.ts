import { type Effect, Metric } from "effect"
import type { ExecutionStatus } from "../domain/Execution.ts"

const executions = Metric.counter("executions_ended_total", {
  description: "Executions that ended in this process, by outcome.",
  incremental: true
})

/** Counts the end of an execution. */
export const countEnd = (status: ExecutionStatus): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(executions, { status }), 1)
