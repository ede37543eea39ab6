import { DateTime, Duration, Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { Dispatcher } from "./ExecutionEntity.ts"
import { Runner } from "./Runner.ts"

/** A pending execution this young may still be on its way to its runner. */
const grace = Duration.seconds(5)
/** Executions that one look hands over at most. */
const batch = 10_000

interface Unfinished {
  readonly id: string
  readonly organization_id: string
}

/**
 * Finds the executions that this process should run and does not know of: their runner died or stopped, or the process
 * that accepted them died before it handed them over. To hand one over twice is harmless.
 */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const dispatcher = yield* Dispatcher
    const runner = yield* Runner
    const recover = Effect.gen(function* () {
      const before = DateTime.toDateUtc(DateTime.subtractDuration(yield* DateTime.now, grace))
      const unfinished = yield* sql<Unfinished>`
        select id, organization_id from executions
        where status in ('pending', 'running') and (status = 'running' or created_at < ${before})
        order by created_at limit ${batch}`
      const forgotten = unfinished.filter(({ id }) => !runner.knows(id) && dispatcher.isOurs(id))
      yield* Effect.forEach(
        forgotten,
        ({ id, organization_id }) =>
          dispatcher.dispatch(id, { organizationId: organization_id, waited: false }),
        { discard: true }
      )
    })
    yield* recover.pipe(
      Effect.catchCause((cause) => Effect.logWarning("Looking for forgotten executions failed", cause)),
      Effect.repeat(Schedule.spaced("2 seconds")),
      Effect.forkScoped
    )
  })
)
