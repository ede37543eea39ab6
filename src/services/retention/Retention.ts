import { Context, DateTime, Effect, Layer, Schedule } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { BlobUses } from "../../engine/journal/BlobUses.ts"
import type { BlobStoreFailure } from "../../providers/blobs/Blobs.ts"
import { RateLimits } from "../limits/RateLimits.ts"
import { batchSize, untilDone } from "./SweepBatches.ts"
import { expireDocuments, expireOutputs } from "./ExpiredContent.ts"
import { removeOldExecutions } from "./OldExecutions.ts"
import { makeStrayBlobs, releaseLeftovers } from "./StrayBlobs.ts"

/** Leftovers are rare, and finding them takes a while: done once in this number of sweeps. */
const leftoverRounds = 30

/**
 * Removes data after its retention: documents (24 hours after the end by default), outputs, artifacts and corrections
 * (30 days), idempotency keys (24 hours), the cluster's messages of ended executions, and, if a number of days is set,
 * the executions themselves.
 */
export class Retention extends Context.Service<
  Retention,
  {
    readonly sweep: Effect.Effect<void, SqlError.SqlError | BlobStoreFailure>
  }
>()("docflow/Retention") {
  /** `executionDays`: the number of days after their end for which executions are kept; undefined: always. */
  static readonly layer = (executionDays: number | undefined) =>
    Layer.effect(
      Retention,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const uses = yield* BlobUses
        const rates = yield* RateLimits
        const removeStrays = yield* makeStrayBlobs
        const services = Context.make(SqlClient.SqlClient, sql).pipe(Context.add(BlobUses, uses))

        const messages = Effect.fnUntraced(function* (now: Date) {
          const done = yield* sql<{ id: string }>`
            select m.id::text from cluster_messages m join executions e on e.id = m.entity_id
            where e.ended_at <= ${now}::timestamptz - interval '10 minutes' limit ${batchSize}`
          if (done.length === 0) return 0
          const ids = JSON.stringify(done.map(({ id }) => id))
          const these = sql`any(array(select json_array_elements_text(${ids}::text::json)::bigint))`
          yield* sql`delete from cluster_replies where request_id = ${these}`
          yield* sql`delete from cluster_messages where id = ${these}`
          return done.length
        })

        let round = 0
        const sweep = Effect.gen(function* () {
          const now = yield* DateTime.nowAsDate
          yield* untilDone(expireDocuments(now))
          yield* untilDone(expireOutputs(now))
          if (executionDays !== undefined) yield* untilDone(removeOldExecutions(now, executionDays))
          if (round % leftoverRounds === 0) yield* releaseLeftovers
          yield* removeStrays(round++)
          yield* untilDone(messages(now))
          yield* sql`delete from idempotency_keys where created_at <= ${now}::timestamptz - interval '24 hours'`
          yield* rates.sweep
        }).pipe(Effect.provideContext(services), Effect.withSpan("Retention.sweep"))

        return Retention.of({ sweep })
      })
    )

  /** Sweeps every ten seconds. */
  static readonly layerSweeping = (executionDays: number | undefined) =>
    Layer.effectDiscard(
      Effect.gen(function* () {
        const retention = yield* Retention
        yield* retention.sweep.pipe(
          Effect.catch((error) => Effect.logWarning("Removing what is kept no longer failed", error.message)),
          Effect.repeat(Schedule.spaced("10 seconds")),
          Effect.forkScoped
        )
      })
    ).pipe(Layer.provide(Retention.layer(executionDays)))
}
