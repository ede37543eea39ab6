import { Deferred, Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { Written } from "./ExecutionWrites.ts"

type Sent = Deferred.Deferred<Written, SqlError.SqlError>

/**
 * The writes of an execution that were sent and may not be committed yet. The next write takes effect after them, or
 * fails with them.
 */
export class SentWrites {
  readonly #writes = new Set<Sent>()

  add(write: Sent): void {
    this.#writes.add(write)
  }

  /** The number of writes that nobody has waited for. */
  get count(): number {
    return this.#writes.size
  }

  /**
   * Waits until all are committed. False if the execution had ended before one of them. A wait that is interrupted, by
   * the time limit of a step for example, leaves them for the next.
   */
  readonly settle: Effect.Effect<boolean, SqlError.SqlError> = Effect.suspend(() => {
    const writes = [...this.#writes]
    return Effect.map(Effect.forEach(writes, Deferred.await), (written) => {
      for (const write of writes) this.#writes.delete(write)
      return written.every(({ done }) => done)
    })
  })

  /** Fails if one of them is known to have failed: a write that is sent now would not fail with it. */
  readonly check: Effect.Effect<void, SqlError.SqlError> = Effect.suspend(() =>
    Effect.forEach([...this.#writes].filter(Deferred.isDoneUnsafe), Deferred.await, { discard: true })
  )
}
