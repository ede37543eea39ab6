import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Caller } from "../../domain/ApiKey.ts"
import { CorrectedField } from "../../domain/Corrections.ts"
import { DocumentRef } from "../../domain/Document.ts"
import { ExecutionStatus } from "../../domain/Execution.ts"
import { json } from "../../sql/Json.ts"
import { settled } from "./SettledCorrections.ts"

const Saved = Schema.Array(Schema.Struct({ revision: Schema.Int, fields: Schema.Array(CorrectedField) }))
const Sends = Schema.Array(Schema.Struct({ sends: Schema.Boolean }))
const Facts = Schema.Array(
  Schema.Struct({
    flow_id: Schema.String,
    version: Schema.String,
    status: ExecutionStatus,
    document: Schema.NullOr(DocumentRef),
    variables: Schema.Record(Schema.String, Schema.Unknown)
  })
)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    /** The saved corrections that hold; revision 0 if there are none. */
    find: Effect.fn("CorrectionStore.find")(function* (executionId: string) {
      const rows = yield* sql`select revision, fields from corrections where execution_id = ${executionId}`
      const [saved] = yield* Effect.orDie(Schema.decodeUnknownEffect(Saved)(rows))
      return { revision: saved?.revision ?? 0, fields: settled(saved?.fields ?? []) }
    }),
    /** The input of an execution; undefined if the caller may not see it, or it was erased. */
    facts: Effect.fn("CorrectionStore.facts")(function* (
      { environment, organizationId }: Caller,
      executionId: string
    ) {
      // PostgreSQL cannot compare such an id.
      if (executionId.includes("\u0000")) return undefined
      const rows = yield* sql`
        select flow_id, version, status, document, variables from executions
        where id = ${executionId} and organization_id = ${organizationId} and environment = ${environment}
          and erased_at is null`
      const [facts] = yield* Effect.orDie(Schema.decodeUnknownEffect(Facts)(rows))
      return facts
    }),
    /**
     * Saves if nobody did since `revision`; returns whether it was saved, and whether there is a webhook to send. The
     * execution is locked, so that an erasure waits.
     */
    save: Effect.fn("CorrectionStore.save")(function* (
      executionId: string,
      revision: number,
      fields: ReadonlyArray<CorrectedField>,
      open: number
    ) {
      const now = yield* DateTime.nowAsDate
      const rows = yield* sql`
        with kept as (
          update executions set review_open = ${open}
          where id = ${executionId} and erased_at is null
            and ${revision}::int = coalesce((select revision from corrections where execution_id = ${executionId}), 0)
          returning id, organization_id, webhook_url, webhook_events
        ), saved as (
          insert into corrections as c (execution_id, revision, fields)
          select id, ${revision + 1}::int, ${json(sql, fields)}::json from kept
          on conflict (execution_id) do update set revision = excluded.revision, fields = excluded.fields
          where c.revision = ${revision}::int
          returning execution_id
        ), sent as (
          insert into deliveries (execution_id, number, event, organization_id, host, next_attempt_at, created_at)
          select id, ${revision + 2}, 'corrections.saved', organization_id, host_of(webhook_url), ${now}, ${now}
          from kept join saved on execution_id = id
          where webhook_url is not null and 'corrections.saved' = any (webhook_events)
          returning 1
        )
        select (select count(*) from sent) > 0 as sends from saved`
      const [row] = yield* Effect.orDie(Schema.decodeUnknownEffect(Sends)(rows))
      return { isSaved: row !== undefined, sends: row?.sends === true }
    })
  }
})

/** The rows of corrections. */
export class CorrectionStore extends Context.Service<CorrectionStore, Effect.Success<typeof make>>()(
  "docflow/CorrectionStore"
) {
  static readonly layer = Layer.effect(CorrectionStore, make)
}
