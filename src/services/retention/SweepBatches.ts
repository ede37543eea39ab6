import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The maximum number of executions in a transaction. */
export const batchSize = 200
/** The maximum number of batches of one kind in a sweep, so that each kind has its turn. */
const mostBatches = 50

/** Works on batch after batch until one is not full. `batch` returns the number of executions that it has changed. */
export const untilDone = <E, R>(batch: Effect.Effect<number, E, R>): Effect.Effect<void, E, R> =>
  Effect.gen(function* () {
    for (let round = 0; round < mostBatches; round++) {
      if ((yield* batch) < batchSize) return
    }
  })

/** Finds executions that are due and changes them in one transaction; returns their number. */
export const changeTogether = <A, E, R, E2, R2>(
  due: Effect.Effect<ReadonlyArray<A>, E, R>,
  change: (found: ReadonlyArray<A>) => Effect.Effect<void, E2, R2>
) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.withTransaction(
      Effect.gen(function* () {
        const found = yield* due
        if (found.length > 0) yield* change(found)
        return found.length
      })
    )
  )
