import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { BlobUses } from "../../engine/journal/BlobUses.ts"
import { forgetSteps } from "../../engine/journal/ForgetSteps.ts"
import { anyOf } from "../../sql/AnyOf.ts"

/** A condition on `e`, an execution: its content has expired, and no webhook is owed. */
export const isForgotten = (sql: SqlClient.SqlClient) => sql`
  e.output_expired_at is not null and e.document is null
  and not exists (select 1 from deliveries d where d.execution_id = e.id and d.status = 'pending')`

/**
 * Removes executions that the caller has locked. Of what they cost, the sum remains in the ledger, so that no balance
 * changes; examples that were learned from them remain.
 */
export const removeExecutions = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  uses: BlobUses["Service"],
  ids: ReadonlyArray<string>
) {
  const these = anyOf(sql, ids)
  yield* uses.release(ids, ["document", "result"])
  yield* sql`delete from deliveries where execution_id = ${these}`
  yield* sql`delete from idempotency_keys where execution_id = ${these}`
  yield* forgetSteps(sql, ids)
  yield* sql`update examples set execution_id = null where execution_id = ${these}`
  // An execution is charged when it ends: by that time, the transfer is found in the primary key.
  yield* sql`
    with gone as (
      delete from ledger l using executions e
      where e.id = ${these} and l.organization_id = e.organization_id and l.at = e.ended_at and l.execution_id = e.id
      returning l.organization_id, l.source, l.target, l.amount, l.at
    )
    insert into ledger (organization_id, source, target, amount, reason, at)
    select organization_id, source, target, sum(amount), 'Executions that were removed', max(at)
    from gone group by 1, 2, 3 order by 1, 2, 3
    on conflict (organization_id, source, target) where execution_id is null and source <> 'granted'
    do update set amount = ledger.amount + excluded.amount, at = greatest(ledger.at, excluded.at)`
  yield* sql`delete from executions where id = ${these}`
})
