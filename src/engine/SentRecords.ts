import { Deferred, Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { Written } from "./ExecutionWrites.ts"

type Sent = Deferred.Deferred<Written, SqlError.SqlError>

/**
 * The records of an execution that were sent and may not be committed yet. They travel with its next write, which takes
 * effect after them or fails with them.
 */
export class SentRecords {
  #records: Array<Sent> = []

  add(record: Sent): void {
    this.#records.push(record)
  }

  /** Waits until all are committed. */
  readonly settle: Effect.Effect<void, SqlError.SqlError> = Effect.suspend(() => {
    const records = this.#records
    this.#records = []
    return Effect.forEach(records, Deferred.await, { discard: true })
  })

  /** Fails if one of them is known to have failed: a write that is sent now would not fail with it. */
  readonly check: Effect.Effect<void, SqlError.SqlError> = Effect.suspend(() =>
    Effect.forEach(this.#records.filter(Deferred.isDoneUnsafe), Deferred.await, { discard: true })
  )
}
