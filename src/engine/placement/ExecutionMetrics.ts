import { type Effect, Metric } from "effect"
import type { ExecutionStatus } from "../../domain/Execution.ts"

const ended = Metric.counter("executions_ended_total", {
  description: "Executions that ended in this process, by outcome.",
  incremental: true
})
const running = Metric.gauge("executions_running", {
  description: "Executions that run in this process."
})
const waiting = Metric.gauge("executions_waiting", {
  description: "Executions that wait for a slot of this process."
})
const stepDurations = Metric.histogram("step_duration_ms", {
  description: "How long steps took with all their attempts, in milliseconds, by kind and outcome.",
  boundaries: [1, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 60_000, 300_000]
})

/** Counts the end of an execution. */
export const countEnd = (status: ExecutionStatus): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(ended, { status }), 1)

/** Reports the number of executions that run in this process. */
export const reportRunning = (count: number): Effect.Effect<void> => Metric.update(running, count)

/** Reports the number of executions that wait in this process. */
export const reportWaiting = (count: number): Effect.Effect<void> => Metric.update(waiting, count)

/** Counts a finished step; `durationMs` in milliseconds. */
export const countStep = (kind: string, status: string, durationMs: number): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(stepDurations, { kind, status }), durationMs)
