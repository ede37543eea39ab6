import { Array, Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { ArchivedKind, ArchivePage } from "../../domain/ArchivePage.ts"
import { ValidationFailed } from "../../domain/Errors.ts"
import { BlobUses } from "../../engine/journal/BlobUses.ts"
import type { BlobStoreFailure } from "../../providers/blobs/Blobs.ts"
import { anyOf } from "../../sql/AnyOf.ts"
import { makeReading } from "../../sql/ReadingPlaces.ts"
import { decodeRows } from "../../support/DecodeRows.ts"
import { Audit } from "../storage/Audit.ts"
import { isForgotten, removeExecutions } from "./RemoveExecutions.ts"

/** The number of rows that a page looks at, in the order of their ids. */
const pageSize = 1_000
/** The maximum number of executions that are removed in a transaction. */
const batchSize = 200

const Row = Schema.Struct({ id: Schema.String, json: Schema.NullOr(Schema.String) })
const idsOf = { executions: /^exec_\w{1,100}$/u, audit: /^\d{1,18}$/u }

/** Months that are over: exported page by page, and removed once a page is kept elsewhere. */
export class Archive extends Context.Service<
  Archive,
  {
    /**
     * A page of a month, such as `2026-03`: the entries of its audit log, or the executions that ended in it and whose content
     * has expired, each with its webhooks and its transfer in the ledger.
     */
    page(
      month: string,
      kind: ArchivedKind,
      after?: string
    ): Effect.Effect<ArchivePage, ValidationFailed | SqlError.SqlError>
    /** Removes rows that a page contained, and returns how many. No balance and no usage changes. */
    remove(
      month: string,
      kind: ArchivedKind,
      ids: ReadonlyArray<string>
    ): Effect.Effect<number, ValidationFailed | SqlError.SqlError | BlobStoreFailure>
  }
>()("docflow/Archive") {
  static readonly layer = Layer.effect(
    Archive,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* Audit
      const uses = yield* BlobUses
      const reading = yield* makeReading
      const startOf = (month: string) => sql`${`${month}-01`}::timestamp at time zone 'UTC'`
      const endOf = (month: string) =>
        sql`(${`${month}-01`}::timestamp + interval '1 month') at time zone 'UTC'`
      const executionOf = (month: string) => sql`
        e.ended_at >= ${startOf(month)} and e.ended_at < ${endOf(month)} and ${isForgotten(sql)}`
      const entryOf = (month: string) => sql`a.at >= ${startOf(month)} and a.at < ${endOf(month)}`

      /** Nothing is added to a month that has been over for an hour. */
      const check = Effect.fnUntraced(function* (
        month: string,
        kind: ArchivedKind,
        ids: ReadonlyArray<string>
      ) {
        const wrong = ids.find((id) => !idsOf[kind].test(id))
        if (wrong !== undefined)
          return yield* new ValidationFailed({
            message: `"${wrong}" is not an id of an archive of ${kind}. Use the ids and next of its pages`,
            details: { field: "id", reason: "must be an id of a page" }
          })
        const rows = yield* sql`select where ${endOf(month)} <= now() - interval '1 hour'`
        if (rows.length > 0) return
        return yield* new ValidationFailed({
          message: `${month} is not over. Archive a month an hour after its end (UTC) or later`,
          details: { field: "month", reason: "must be over" }
        })
      })

      const look = {
        executions: (month: string, after = "") => sql`
          select id, case when ${executionOf(month)} then (to_jsonb(e) - 'webhook_secret' || jsonb_build_object(
            'deliveries', (select json_agg(d order by number) from deliveries d where d.execution_id = e.id),
            'ledger', (select json_agg(l) from ledger l
              where l.organization_id = e.organization_id and l.at = e.ended_at and l.execution_id = e.id)
          ))::text end as json
          from (select * from executions where id > ${after} order by id limit ${pageSize}) e order by id`,
        audit: (month: string, after = "0") => sql`
          select id::text, case when ${entryOf(month)} then to_json(a)::text end as json
          from (select * from audit_log where id > ${after}::bigint order by id limit ${pageSize}) a order by a.id`
      }

      const page = Effect.fn("Archive.page")(function* (month: string, kind: ArchivedKind, after?: string) {
        yield* check(month, kind, after === undefined ? [] : [after])
        const seen = yield* decodeRows(Row, yield* reading(undefined, look[kind](month, after)))
        return {
          rows: seen.flatMap(({ id, json }) => (json === null ? [] : [{ id, json }])),
          next: seen.length < pageSize ? null : (seen.at(-1)?.id ?? null)
        }
      })

      const drop = {
        executions: Effect.fnUntraced(function* (month: string, ids: ReadonlyArray<string>) {
          const found = yield* sql<{ id: string }>`
            select e.id from executions e where e.id = ${anyOf(sql, ids)} and ${executionOf(month)}
            order by e.id for no key update skip locked`
          if (found.length > 0)
            yield* removeExecutions(
              sql,
              uses,
              found.map(({ id }) => id)
            )
          return found.length
        }, sql.withTransaction),
        audit: Effect.fnUntraced(function* (month: string, ids: ReadonlyArray<string>) {
          yield* sql`select set_config('docflow.archived', 'on', true)`
          const gone = yield* sql`
            delete from audit_log a where ${entryOf(month)}
              and id = any(array(select json_array_elements_text(${JSON.stringify(ids)}::text::json)::bigint))
            returning 1`
          return gone.length
        }, sql.withTransaction)
      }

      const remove = Effect.fn("Archive.remove")(function* (
        month: string,
        kind: ArchivedKind,
        ids: ReadonlyArray<string>
      ) {
        yield* check(month, kind, ids)
        yield* audit.record({ action: "month.archived", subject: `${month} ${kind}` })
        const removed = yield* Effect.forEach(Array.chunksOf(ids, batchSize), (some) =>
          drop[kind](month, some)
        )
        return removed.reduce((sum, one) => sum + one, 0)
      })

      return Archive.of({ page, remove })
    })
  )
}
