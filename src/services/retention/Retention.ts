import { Context, DateTime, Effect, Layer, Schedule } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { BlobUses, type Purpose } from "../../engine/journal/BlobUses.ts"
import type { BlobStoreFailure } from "../../providers/blobs/Blobs.ts"
import { RateLimits } from "../limits/RateLimits.ts"
import { batchSize, changeTogether, untilDone } from "./SweepBatches.ts"
import { forgetSteps } from "../../engine/journal/ForgetSteps.ts"
import { anyOf } from "../../sql/AnyOf.ts"

/**
 * Removes executions that ended `days` ago and whose document and output are removed already, a batch of them, with all
 * that is recorded about them; returns their number. What they cost remains in the ledger, in one entry of the
 * organization. Examples that were learned from them remain.
 */
const removeOldExecutions = Effect.fn("Retention.executions")(function* (now: Date, days: number) {
  const sql = yield* SqlClient.SqlClient
  const uses = yield* BlobUses
  const due = sql<{ id: string; organization_id: string }>`
    select id, organization_id from executions e
    where output_expired_at is not null and document is null
      and ended_at <= ${now}::timestamptz - ${days}::int * interval '1 day'
      and not exists (select 1 from deliveries d where d.execution_id = e.id and d.status = 'pending')
    limit ${batchSize} for update skip locked`
  return yield* changeTogether(
    due,
    Effect.fnUntraced(function* (found) {
      const ids = found.map(({ id }) => id)
      const these = anyOf(sql, ids)
      yield* uses.release(ids, ["document", "result"])
      yield* sql`
        delete from delivery_attempts
        where delivery_id in (select id from deliveries where execution_id = ${these})`
      yield* sql`delete from deliveries where execution_id = ${these}`
      yield* sql`delete from idempotency_keys where execution_id = ${these}`
      yield* sql`delete from execution_events where execution_id = ${these}`
      yield* sql`delete from step_results where execution_id = ${these}`
      yield* sql`update examples set execution_id = null where execution_id = ${these}`
      yield* sql`delete from executions where id = ${these}`
      const organizations = new Set(found.map(({ organization_id }) => organization_id))
      yield* Effect.forEach(organizations, (organization) => carryForward(sql, organization), {
        discard: true
      })
    })
  )
})

/** The maximum number of postings that are added up at once: those of a batch of executions, and of one left over. */
const mostPostings = batchSize * 8

/**
 * Replaces the oldest postings of an organization, as far as their executions are removed, by one transaction with
 * their sums: no balance changes. A transaction is replaced as a whole, so the books still sum to zero.
 */
const carryForward = (sql: SqlClient.SqlClient, organization: string) =>
  Effect.andThen(
    sql`select 1 from organizations where id = ${organization} for no key update`,
    sql`
      with oldest as materialized (
        select id, transaction_id, amount, execution_id from ledger_postings
        where organization_id = ${organization} and kind <> 'grant' order by id limit ${mostPostings}
      ), old as materialized (
        select oldest.* from oldest left join lateral (
          select e.id from executions e where e.id = oldest.execution_id offset 0
        ) kept on true
        where kept.id is null
      ), gone as (
        delete from ledger_postings p
        where p.id = any(array(
          select id from old where transaction_id in (
            select transaction_id from old group by transaction_id having sum(amount) = 0)))
        returning p.account, p.amount, p.at
      ), carried as (
        select gen_random_uuid()::text as id, max(at) as at from gone
      )
      insert into ledger_postings (transaction_id, organization_id, account, kind, amount, reason, at)
      select carried.id, ${organization}, gone.account, 'charge', sum(gone.amount),
        'Executions that were removed after their retention', carried.at
      from gone, carried group by carried.id, carried.at, gone.account having sum(gone.amount) <> 0`
  )

// The shortest retention of all organizations limits the part of the index that is read: most executions are younger.
// Executions that another process is sweeping are skipped. Blobs are removed before the commit: after a crash, the
// execution still has its document or output and is swept again.

/** Removes documents whose retention is over, of a batch of executions; returns the number of executions. */
const expireDocuments = Effect.fn("Retention.documents")(function* (now: Date) {
  const sql = yield* SqlClient.SqlClient
  const uses = yield* BlobUses
  const due = sql<{ id: string }>`
    select e.id from executions e join organizations o on o.id = e.organization_id
    where e.document is not null and e.ended_at is not null
      and e.ended_at <= ${now}::timestamptz - o.document_retention_hours * interval '1 hour'
      and e.ended_at <= ${now}::timestamptz
        - (select min(document_retention_hours) from organizations) * interval '1 hour'
    limit ${batchSize} for no key update of e skip locked`
  return yield* changeTogether(
    due,
    Effect.fnUntraced(function* (found) {
      const ids = found.map(({ id }) => id)
      yield* uses.release(ids, ["document"])
      yield* sql`update executions set document = null where id = ${anyOf(sql, ids)}`
    })
  )
})

/** Removes outputs, artifacts and corrections whose retention is over, of a batch of executions; returns their number. */
const expireOutputs = Effect.fn("Retention.outputs")(function* (now: Date) {
  const sql = yield* SqlClient.SqlClient
  const uses = yield* BlobUses
  const due = sql<{ id: string }>`
    select e.id from executions e join organizations o on o.id = e.organization_id
    where e.output_expired_at is null and e.ended_at is not null
      and e.ended_at <= ${now}::timestamptz - o.output_retention_days * interval '1 day'
      and e.ended_at <= ${now}::timestamptz
        - (select min(output_retention_days) from organizations) * interval '1 day'
    limit ${batchSize} for no key update of e skip locked`
  return yield* changeTogether(
    due,
    Effect.fnUntraced(function* (found) {
      const ids = found.map(({ id }) => id)
      const these = anyOf(sql, ids)
      yield* uses.release(ids, ["result"])
      yield* sql`delete from step_results where execution_id = ${these}`
      yield* forgetSteps(sql, ids)
      yield* sql`delete from corrections where execution_id = ${these}`
      yield* sql`
        update executions set output = null, output_expired_at = ${now}, review_open = 0 where id = ${these}`
    })
  )
})

/** Removes stale uses of blobs: of a runner that wrote once more after an erasure, or of a killed process. */
const releaseLeftovers = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const uses = yield* BlobUses
  const found = yield* sql<{ id: string; purpose: Purpose }>`
    select distinct u.execution_id as id, u.purpose from blob_uses u join executions e on e.id = u.execution_id
    where (u.purpose = 'document' and e.document is null)
       or (u.purpose = 'result' and (e.output_expired_at is not null or e.erased_at is not null))
    limit ${batchSize}`
  for (const { id, purpose } of found) yield* uses.release([id], [purpose])
})

/**
 * Finds blobs that no execution uses, in one 256th of the store each time. A blob that is just being stored has no use
 * yet, so it is removed only if two rounds find none.
 */
const makeStrayBlobs = Effect.gen(function* () {
  const uses = yield* BlobUses
  const suspects = new Map<string, ReadonlySet<string>>()
  return Effect.fnUntraced(function* (round: number) {
    const prefix = (round % 256).toString(16).padStart(2, "0")
    const unused = yield* uses.unused(prefix)
    const before = suspects.get(prefix)
    yield* Effect.forEach(
      unused.filter((blob) => before?.has(blob)),
      (blob) => uses.dropUnused(blob),
      { discard: true }
    )
    suspects.set(prefix, new Set(unused))
  })
})

/** Leftovers are rare, and finding them takes a while: done once in this number of sweeps. */
const leftoverRounds = 30

/**
 * Removes data after its retention: documents (24 hours after the end by default), outputs, artifacts and corrections
 * (30 days), idempotency keys (24 hours), and, if a number of days is set, the executions themselves.
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

        let round = 0
        const sweep = Effect.gen(function* () {
          const now = yield* DateTime.nowAsDate
          yield* untilDone(expireDocuments(now))
          yield* untilDone(expireOutputs(now))
          if (executionDays !== undefined) yield* untilDone(removeOldExecutions(now, executionDays))
          if (round % leftoverRounds === 0) yield* releaseLeftovers
          yield* removeStrays(round++)
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
