import { DateTime, Duration, Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { Dispatcher } from "./ExecutionEntity.ts"

/** An execution that is still pending after this time may never have reached the cluster. */
const grace = Duration.seconds(5)
const batch = 100

/**
 * Hands executions to the cluster whose process died between accepting and dispatching them. Dispatching one that was
 * dispatched before is harmless.
 */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const dispatcher = yield* Dispatcher
    const recover = Effect.gen(function* () {
      const before = DateTime.toDateUtc(DateTime.subtractDuration(yield* DateTime.now, grace))
      const forgotten = yield* sql<{ id: string }>`
        select id from executions where status = 'pending' and created_at < ${before}
        order by created_at limit ${batch}`
      yield* Effect.forEach(forgotten, ({ id }) => dispatcher.dispatch(id), { discard: true })
    })
    yield* recover.pipe(
      Effect.catchCause((cause) => Effect.logWarning("Looking for forgotten executions failed", cause)),
      Effect.repeat(Schedule.spaced("5 seconds")),
      Effect.forkScoped
    )
  })
)
