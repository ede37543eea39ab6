import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { type AuditAction, AuditEntry } from "../../domain/AuditEntry.ts"
import { CurrentOrigin } from "../../domain/Origin.ts"
import { makeReading } from "../../sql/ReadingPlaces.ts"
import { someCounted } from "../../sql/SomeCounted.ts"
import { decodeRows } from "../../support/DecodeRows.ts"

interface Act {
  readonly action: AuditAction
  readonly subject?: string | undefined
  readonly organizationId?: string | undefined
}

interface Query {
  readonly organizationId?: string | undefined
  readonly limit: number
  readonly offset: number
}

const text = Schema.NullOr(Schema.String)
const Row = Schema.Struct({
  at: Schema.Date,
  action: AuditEntry.fields.action,
  actor: Schema.String,
  subject: text,
  organization_id: text,
  address: text,
  request_id: text
})

/** The append-only audit log; the database refuses changes. */
export class Audit extends Context.Service<
  Audit,
  {
    /** Records an action with its origin, in the caller's transaction if there is one. */
    record(act: Act): Effect.Effect<void, SqlError.SqlError>
    /** The entries, newest first. */
    list(
      query: Query
    ): Effect.Effect<
      { readonly entries: ReadonlyArray<AuditEntry>; readonly total: number },
      SqlError.SqlError
    >
  }
>()("docflow/Audit") {
  static readonly layer = Layer.effect(
    Audit,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const reading = yield* makeReading

      const record = Effect.fn("Audit.record")(function* (act: Act) {
        const origin = yield* CurrentOrigin
        yield* sql`
          insert into audit_log (at, action, actor, subject, organization_id, address, request_id)
          values (now(), ${act.action}, ${origin.actor}, ${act.subject ?? null},
                  ${act.organizationId ?? null}, ${origin.address ?? null}, ${origin.requestId ?? null})`
      })

      const list = Effect.fn("Audit.list")(
        function* ({ limit, offset, organizationId }: Query) {
          const wanted = organizationId === undefined ? sql`true` : sql`organization_id = ${organizationId}`
          const rows = yield* sql`
          select at, action, actor, subject, organization_id, address, request_id from audit_log
          where ${wanted} order by id desc limit ${limit} offset ${offset}`
          const total = yield* someCounted(sql, sql`from audit_log where ${wanted}`, offset)
          const decoded = yield* decodeRows(Row, rows)
          return { entries: decoded.map(entryOf), total }
        },
        (read, { organizationId }) => reading(organizationId, read)
      )

      return Audit.of({ record, list })
    })
  )
}

const entryOf = (row: typeof Row.Type): AuditEntry => ({
  at: row.at.toISOString(),
  action: row.action,
  actor: row.actor,
  ...(row.subject === null ? {} : { subject: row.subject }),
  ...(row.organization_id === null ? {} : { organizationId: row.organization_id }),
  ...(row.address === null ? {} : { address: row.address }),
  ...(row.request_id === null ? {} : { requestId: row.request_id })
})
