import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { BlobUses } from "../../engine/journal/BlobUses.ts"
import { forgetSteps } from "../../engine/journal/ForgetSteps.ts"
import { anyOf } from "../../sql/AnyOf.ts"
import { batchSize, changeTogether } from "./SweepBatches.ts"

// The shortest retention of all organizations limits the part of the index that is read: most executions are younger.
// Executions that another process is sweeping are skipped. Blobs are removed before the commit: after a crash, the
// execution still has its document or output and is swept again.

/** Removes documents whose retention is over, of a batch of executions; returns the number of executions. */
export const expireDocuments = Effect.fn("Retention.documents")(function* (now: Date) {
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
export const expireOutputs = Effect.fn("Retention.outputs")(function* (now: Date) {
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
