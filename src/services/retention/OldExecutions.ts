import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { BlobUses } from "../../engine/journal/BlobUses.ts"
import { anyOf } from "../../sql/AnyOf.ts"
import { batchSize, changeTogether } from "./SweepBatches.ts"

/**
 * Removes executions that ended `days` ago and whose document and output are removed already, a batch of them, with all
 * that is recorded about them; returns their number. What they cost remains in the ledger, in one entry of the
 * organization. Examples that were learned from them remain.
 */
export const removeOldExecutions = Effect.fn("Retention.executions")(function* (now: Date, days: number) {
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
