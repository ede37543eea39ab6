import { Effect } from "effect"

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
