import { Context, DateTime, Effect, Layer, Schedule } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { BlobUses, type Purpose } from "../../engine/BlobUses.ts"
import { forgetSteps } from "../../engine/event-log/ForgetSteps.ts"
import type { BlobStoreFailure } from "../../providers/blobs/Blobs.ts"
import { RateLimits } from "../limits/RateLimits.ts"

/** Leftovers are rare, and finding them takes a while: done once in this number of sweeps. */
const leftoverRounds = 30
/** The maximum number of executions per sweep. */
const batch = 200

/**
 * Removes data after its retention: documents (24 hours after the end by default), outputs and artifacts (30 days),
 * idempotency keys (24 hours), and the cluster's messages of ended executions.
 */
export class Retention extends Context.Service<
  Retention,
  {
    readonly sweep: Effect.Effect<void, SqlError.SqlError | BlobStoreFailure>
  }
>()("docflow/Retention") {
  static readonly layer = Layer.effect(
    Retention,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const uses = yield* BlobUses
      const rates = yield* RateLimits

      // The shortest retention of all organizations limits the part of the index that is read: most executions are
      // younger.
      const documents = Effect.fnUntraced(function* (now: Date) {
        const due = yield* sql<{ id: string }>`
          select e.id from executions e join organizations o on o.id = e.organization_id
          where e.document is not null and e.ended_at is not null
            and e.ended_at <= ${now}::timestamptz - o.document_retention_hours * interval '1 hour'
            and e.ended_at <= ${now}::timestamptz
              - (select min(document_retention_hours) from organizations) * interval '1 hour'
          limit ${batch}`
        for (const { id } of due) {
          // Release first: after a crash, an execution that still has its document is processed again.
          yield* uses.release(id, ["document"])
          yield* sql`update executions set document = null where id = ${id}`
        }
      })

      const outputs = Effect.fnUntraced(function* (now: Date) {
        const due = yield* sql<{ id: string }>`
          select e.id from executions e join organizations o on o.id = e.organization_id
          where e.output_expired_at is null and e.ended_at is not null
            and e.ended_at <= ${now}::timestamptz - o.output_retention_days * interval '1 day'
            and e.ended_at <= ${now}::timestamptz
              - (select min(output_retention_days) from organizations) * interval '1 day'
          limit ${batch}`
        for (const { id } of due) {
          yield* uses.release(id, ["result"])
          yield* sql`delete from step_results where execution_id = ${id}`
          yield* forgetSteps(sql, id)
          yield* sql`update executions set output = null, output_expired_at = ${now} where id = ${id}`
        }
      })

      /** Removes stale uses of blobs: of a runner that wrote once more after an erasure, or of a killed process. */
      const leftovers = Effect.gen(function* () {
        const found = yield* sql<{ id: string; purpose: Purpose }>`
          select distinct u.execution_id as id, u.purpose from blob_uses u join executions e on e.id = u.execution_id
          where (u.purpose = 'document' and e.document is null)
             or (u.purpose = 'result' and (e.output_expired_at is not null or e.erased_at is not null))
          limit ${batch}`
        for (const { id, purpose } of found) yield* uses.release(id, [purpose])
      })

      // One 256th of the store per sweep. A blob that is just being stored has no use yet, so it is removed only if two
      // rounds find none.
      let round = 0
      const suspects = new Map<string, ReadonlySet<string>>()
      const strays = Effect.gen(function* () {
        const prefix = (round++ % 256).toString(16).padStart(2, "0")
        const unused = yield* uses.unused(prefix)
        const before = suspects.get(prefix)
        yield* Effect.forEach(
          unused.filter((blob) => before?.has(blob)),
          (blob) => uses.dropUnused(blob),
          { discard: true }
        )
        suspects.set(prefix, new Set(unused))
      })

      const messages = Effect.fnUntraced(function* (now: Date) {
        const done = sql`
          select m.id from cluster_messages m join executions e on e.id = m.entity_id
          where e.ended_at <= ${now}::timestamptz - interval '10 minutes' limit ${batch}`
        const rows = yield* sql<{ id: bigint }>`${done}`
        if (rows.length === 0) return
        const ids = sql.in(
          "request_id",
          rows.map(({ id }) => id)
        )
        yield* sql`delete from cluster_replies where ${ids}`
        yield* sql`delete from cluster_messages where ${sql.in(
          "id",
          rows.map(({ id }) => id)
        )}`
      })

      const sweep = Effect.gen(function* () {
        const now = yield* DateTime.nowAsDate
        yield* documents(now)
        yield* outputs(now)
        if (round % leftoverRounds === 0) yield* leftovers
        yield* strays
        yield* messages(now)
        yield* sql`delete from idempotency_keys where created_at <= ${now}::timestamptz - interval '24 hours'`
        yield* rates.sweep
      }).pipe(Effect.withSpan("Retention.sweep"))

      return Retention.of({ sweep })
    })
  )

  /** Sweeps every ten seconds. */
  static readonly layerSweeping = Layer.effectDiscard(
    Effect.gen(function* () {
      const retention = yield* Retention
      yield* retention.sweep.pipe(
        Effect.catch((error) => Effect.logWarning("Removing what is kept no longer failed", error.message)),
        Effect.repeat(Schedule.spaced("10 seconds")),
        Effect.forkScoped
      )
    })
  ).pipe(Layer.provide(Retention.layer))
}
