import { Context, Effect, Layer, Ref, Schedule } from "effect"
import { SqlClient } from "effect/sql"

/**
 * How many accepted executions wait for a runner, in all processes together. Past a limit further runs are refused: what is
 * accepted is kept, so the queue must not grow without end.
 */
export class Backlog extends Context.Service<
  Backlog,
  {
    readonly isFull: Effect.Effect<boolean>
    /** Counts again; otherwise that happens every second. */
    readonly count: Effect.Effect<void>
  }
>()("docflow/Backlog") {
  static readonly layer = (limit: number) =>
    Layer.effect(
      Backlog,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const full = yield* Ref.make(false)
        // A database that is away says nothing about the queue: what was known last still counts.
        const count = Effect.ignore(
          Effect.gen(function* () {
            const rows = yield* sql`
              select 1 from executions where status = 'pending' offset ${limit - 1} limit 1`
            yield* Ref.set(full, rows.length > 0)
          })
        )
        yield* count.pipe(Effect.repeat(Schedule.spaced("1 second")), Effect.forkScoped)
        return Backlog.of({ isFull: Ref.get(full), count })
      })
    )
}
