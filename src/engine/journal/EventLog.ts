import { Context, DateTime, type Deferred, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { ExecutionStatus } from "../../domain/Execution.ts"
import { LoggedEvent } from "../../domain/ExecutionEvent.ts"
import { ExecutionWrites, type Written } from "./ExecutionWrites.ts"
import { Signals } from "../signals/Signals.ts"

/** The state of an execution, and the entries of its log after a certain one. */
export const LogView = Schema.Struct({
  status: ExecutionStatus,
  /** The number of the last entry: of the end, if it has ended. */
  seq: Schema.Int,
  step: Schema.NullOr(Schema.String),
  percentage: Schema.Finite,
  events: Schema.Array(LoggedEvent)
})
export type LogView = typeof LogView.Type

const decodeViews = Schema.decodeUnknownEffect(Schema.Array(LogView))

/**
 * The log of each execution, in an order that never changes. Changes of an execution are logged in the same
 * transaction; changes of its progress alone, by this service.
 */
export class EventLog extends Context.Service<
  EventLog,
  {
    /**
     * Logs that a step begins. The returned effect completes once that is committed; `done` is false if the execution
     * is no longer running, and then nothing is changed.
     */
    stepStarted(
      executionId: string,
      step: string,
      percentage: number
    ): Effect.Effect<Deferred.Deferred<Written, SqlError.SqlError>>
    /** Stores the progress of a running execution, without an entry in the log. */
    progress(executionId: string, step: string, percentage: number): Effect.Effect<void, SqlError.SqlError>
    /** The entries after `seq`, and the state that belongs to them. */
    after(executionId: string, seq: number): Effect.Effect<Option.Option<LogView>, SqlError.SqlError>
  }
>()("docflow/engine/EventLog") {
  static readonly layer = Layer.effect(
    EventLog,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const signals = yield* Signals
      const writes = yield* ExecutionWrites

      const stepStarted = Effect.fnUntraced(function* (
        executionId: string,
        step: string,
        percentage: number
      ) {
        const at = yield* DateTime.nowAsDate
        return yield* writes.offer(executionId, at, { act: "begin", step, percentage })
      })

      const progress = Effect.fnUntraced(function* (executionId: string, step: string, percentage: number) {
        yield* sql`
          update executions
          set progress_step = ${step}, progress_percentage = greatest(progress_percentage, ${percentage}::real)
          where id = ${executionId} and status = 'running'`
        yield* signals.announceChange(executionId)
      })

      const after = Effect.fn("EventLog.after")(function* (executionId: string, seq: number) {
        const rows = yield* sql`
          select status, event_seq as seq, progress_step as step,
            round(progress_percentage::numeric, 1)::float8 as percentage,
            coalesce((
              select json_agg(json_build_object(
                'seq', seq, 'kind', kind, 'data', data,
                'at', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
              ) order by seq)
              from (
                select seq, kind, data, at from execution_events where execution_id = executions.id
                union all select 1, 'execution.pending', null, created_at
                union all select 2 + coalesce(json_array_length(reused_steps), 0), 'execution.running', null, started_at
                  where started_at is not null
              ) logged where seq > ${seq}
            ), '[]') as events
          from executions where id = ${executionId}`
        const [view] = yield* Effect.orDie(decodeViews(rows))
        return Option.fromUndefinedOr(view)
      })

      return EventLog.of({ stepStarted, progress, after })
    })
  )
}
