import { Context, DateTime, Effect, Layer, Schedule } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { BlobUses } from "../../engine/BlobUses.ts"
import { forgetSteps } from "../../engine/event-log/Logged.ts"
import type { BlobStoreFailure } from "../../providers/blobs/Blobs.ts"
import { RateLimits } from "../limits/RateLimits.ts"

/** Executions that one sweep takes at most. */
const batch = 200

/**
 * Removes what is kept no longer: documents (24 hours after the end by default), outputs and artifacts (30 days),
 * idempotency keys (24 hours), and the cluster's messages of executions that have ended.
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

      const documents = Effect.fnUntraced(function* (now: Date) {
        const due = yield* sql<{ id: string }>`
          select e.id from executions e join organizations o on o.id = e.organization_id
          where e.document is not null and e.ended_at is not null
            and e.ended_at <= ${now}::timestamptz - o.document_retention_hours * interval '1 hour'
          limit ${batch}`
        for (const { id } of due) {
          yield* sql`update executions set document = null where id = ${id}`
          yield* uses.release(id, ["document"])
        }
      })

      const outputs = Effect.fnUntraced(function* (now: Date) {
        const due = yield* sql<{ id: string }>`
          select e.id from executions e join organizations o on o.id = e.organization_id
          where e.output_expired_at is null and e.ended_at is not null
            and e.ended_at <= ${now}::timestamptz - o.output_retention_days * interval '1 day'
          limit ${batch}`
        for (const { id } of due) {
          yield* sql`update executions set output = null, output_expired_at = ${now} where id = ${id}`
          yield* sql`delete from step_results where execution_id = ${id}`
          yield* forgetSteps(sql, id)
          yield* uses.release(id, ["result"])
        }
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
