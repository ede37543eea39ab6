import { Clock, Context, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Blobs } from "../../providers/blobs/Blobs.ts"
import { type Outage, outageOf } from "../../sql/Outage.ts"
import { SharedClock } from "../../sql/SharedClock.ts"
import { unlessLate } from "../../support/UnlessLate.ts"

export { outageOf } from "../../sql/Outage.ts"

/** How long after an outage this process reports that it is not ready, in milliseconds. */
const memory = 5_000
/** The SQLSTATE of a statement that was cancelled, because of its time limit. */
export const tooLong = "57014"

/** The storage outages that this process has seen. */
export class StorageHealth {
  #last: { readonly outage: Outage; readonly at: number } | undefined
  /** Why executions that this process accepts would wait, although storage works: which processes it cannot reach. */
  separated: string | undefined

  /** Remembers an outage. A statement that took too long is none: the check asks the database itself. */
  report(outage: Outage): Effect.Effect<void> {
    if (outage.code === tooLong) return Effect.void
    return Effect.map(Clock.currentTimeMillis, (at) => {
      this.#last = { outage, at }
    })
  }

  /** The outage within the last seconds, if any. */
  get recent(): Effect.Effect<Outage | undefined> {
    return Effect.map(Clock.currentTimeMillis, (now) =>
      this.#last !== undefined && now - this.#last.at < memory ? this.#last.outage : undefined
    )
  }
}

/** The health of this process's storage. */
export const CurrentStorageHealth = Context.Reference<StorageHealth>(
  "docflow/services/storage/StorageHealth",
  {
    defaultValue: () => new StorageHealth()
  }
)

/** Remembers an outage in the health of this process's storage. */
export const reportOutage = (outage: Outage): Effect.Effect<void> =>
  Effect.flatMap(CurrentStorageHealth, (health) => health.report(outage))

/** A name that no document has. */
const noBlob = "0".repeat(64)

const answers = (what: Outage["what"], check: Effect.Effect<unknown, unknown>) =>
  Effect.asVoid(check).pipe(
    Effect.mapError((failure) => outageOf(failure) ?? { what, code: "unknown" }),
    unlessLate("2 seconds", () => Effect.fail({ what, code: "ETIMEDOUT" }))
  )

const reasonOf = ({ code, what }: Outage): string =>
  code === "ETIMEDOUT" ? `the ${what} does not answer` : `the ${what} failed: ${code}`

/**
 * Fails with the reason for which a request would fail now, or has failed in the last seconds. The database must take a write,
 * over the connections that requests use, the document store must answer, the clock must be right, and others must be reachable.
 */
export const makeReadiness: Effect.Effect<
  Effect.Effect<void, string>,
  never,
  Blobs | SqlClient.SqlClient
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const blobs = yield* Blobs
  const clock = yield* Clock.Clock
  const health = yield* CurrentStorageHealth
  return Effect.gen(function* () {
    yield* answers("database", sql`update executions set status = status where false`)
    yield* answers("document store", blobs.has(noBlob))
    const recent = yield* health.recent
    if (recent !== undefined) return yield* Effect.fail(recent)
  }).pipe(
    Effect.mapError(reasonOf),
    Effect.andThen(
      Effect.suspend(() => {
        const problem = (clock instanceof SharedClock ? clock.problem : undefined) ?? health.separated
        return problem === undefined ? Effect.void : Effect.fail(problem)
      })
    )
  )
})
