import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type SqlError } from "effect/sql"
import {
  type CustomLimits,
  type LedgerEntry,
  limitsFor,
  type Organization,
  Plan
} from "../../domain/Organization.ts"
import { Audit } from "../storage/Audit.ts"
import { thisMonth } from "./StoredModelAccounts.ts"
import * as Ledger from "../../sql/Ledger.ts"
import { makeReading } from "../../sql/ReadingPlaces.ts"
import { someCounted } from "../../sql/SomeCounted.ts"
import { decodeRows } from "../../support/DecodeRows.ts"

/** There is no such organization. */
export class OrganizationNotFound extends Schema.TaggedError<OrganizationNotFound>()("OrganizationNotFound", {
  id: Schema.String
}) {}

interface NewOrganization extends CustomLimits {
  readonly name: string
  readonly plan: Plan
  readonly credits?: number | undefined
  /** How long documents are kept after the end of the execution, in hours; 0 removes them immediately. */
  readonly documentRetentionHours?: number | undefined
  /** How long outputs and artifacts are kept after the end of the execution, in days; 0 removes them immediately. */
  readonly outputRetentionDays?: number | undefined
}

interface Page {
  readonly limit: number
  readonly offset: number
}

const OrganizationRow = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  plan: Plan,
  requests_per_minute: Schema.NullOr(Schema.Int),
  concurrent_executions: Schema.NullOr(Schema.Int),
  available: Schema.Finite,
  reserved: Schema.Finite,
  document_retention_hours: Schema.Finite,
  output_retention_days: Schema.Finite,
  document_export: Schema.Boolean,
  tokens_per_month: Schema.NullOr(Schema.Finite),
  tokens_this_month: Schema.Finite,
  keys: Schema.Array(Schema.String),
  created_at: Schema.Date
})

const LedgerRow = Schema.Struct({
  at: Schema.Date,
  kind: Schema.Literals(["grant", "charge"]),
  amount: Schema.Finite,
  execution_id: Schema.NullOr(Schema.String),
  reason: Schema.NullOr(Schema.String)
})

/** Organizations and their credits. */
export class Organizations extends Context.Service<
  Organizations,
  {
    create(organization: NewOrganization): Effect.Effect<Organization, SqlError.SqlError>
    get(id: string): Effect.Effect<Organization, OrganizationNotFound | SqlError.SqlError>
    list(
      page: Page
    ): Effect.Effect<
      { readonly organizations: ReadonlyArray<Organization>; readonly total: number },
      SqlError.SqlError
    >
    /** Says whether test cases that corrections make contain the document. */
    setDocumentExport(
      id: string,
      allowed: boolean
    ): Effect.Effect<Organization, OrganizationNotFound | SqlError.SqlError>
    /** Grants credits; a negative amount takes credits back, down to a balance of 0. */
    grant(
      id: string,
      amount: number,
      reason: string
    ): Effect.Effect<Organization, OrganizationNotFound | SqlError.SqlError>
    /** The movements of the organization's credits, newest first. */
    ledger(
      id: string,
      page: Page
    ): Effect.Effect<
      { readonly entries: ReadonlyArray<LedgerEntry>; readonly total: number },
      OrganizationNotFound | SqlError.SqlError
    >
  }
>()("docflow/Organizations") {
  static readonly layer = Layer.effect(
    Organizations,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const audit = yield* Audit
      const reading = yield* makeReading
      const columns = sql.literal(
        "id, name, plan, requests_per_minute, concurrent_executions, available::float8, reserved::float8, " +
          "document_retention_hours, output_retention_days, document_export, created_at, " +
          "model_tokens_per_month::float8 as tokens_per_month, coalesce((select tokens from model_tokens " +
          `where organization_id = organizations.id and month = ${thisMonth}), 0)::float8 as tokens_this_month, ` +
          "array(select provider from model_keys where organization_id = organizations.id order by 1) as keys"
      )
      const inLedger = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        sql.withTransaction(Effect.provideService(effect, SqlClient.SqlClient, sql))

      const get = Effect.fn("Organizations.get")(function* (id: string) {
        const rows = yield* sql`select ${columns} from organizations where id = ${id}`
        const [organization] = yield* decodeOrganizations(rows)
        return organization ?? (yield* new OrganizationNotFound({ id }))
      })

      const create = Effect.fn("Organizations.create")(
        function* (organization: NewOrganization) {
          const id = `org_${yield* random.ulid}`
          const at = yield* DateTime.nowAsDate
          const made = yield* inLedger(
            Effect.gen(function* () {
              yield* sql`
              insert into organizations (id, name, plan, requests_per_minute, concurrent_executions,
                document_retention_hours, output_retention_days, created_at)
              values (${id}, ${organization.name}, ${organization.plan}, ${organization.requestsPerMinute ?? null},
                      ${organization.concurrentExecutions ?? null}, ${thousandths(organization.documentRetentionHours ?? 24)}::real,
                      ${thousandths(organization.outputRetentionDays ?? 30)}::real, ${at})`
              yield* Ledger.grant({
                organizationId: id,
                amount: organization.credits ?? 0,
                at,
                reason: "opening balance"
              })
              yield* audit.record({ action: "organization.created", subject: id, organizationId: id })
              return yield* get(id)
            })
          )
          return made
        },
        Effect.catchTag("OrganizationNotFound", Effect.die)
      )

      const list = Effect.fn("Organizations.list")(function* (page: Page) {
        const organizations = yield* decodeOrganizations(
          yield* sql`select ${columns} from organizations order by created_at desc, id
                     limit ${page.limit} offset ${page.offset}`
        )
        const [row] = yield* sql<{ total: number }>`select count(*)::int as total from organizations`
        return { organizations, total: row?.total ?? 0 }
      })

      const setDocumentExport = Effect.fn("Organizations.setDocumentExport")(function* (
        id: string,
        allowed: boolean
      ) {
        return yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`update organizations set document_export = ${allowed} where id = ${id}`
            const changed = yield* get(id)
            yield* audit.record({
              action: "organization.document-export",
              subject: allowed ? "on" : "off",
              organizationId: id
            })
            return changed
          })
        )
      })

      const grant = Effect.fn("Organizations.grant")(function* (id: string, amount: number, reason: string) {
        const at = yield* DateTime.nowAsDate
        return yield* inLedger(
          Effect.gen(function* () {
            const rows = yield* sql<{ available: number }>`
              select available::float8 from organizations where id = ${id} for update`
            const available = rows[0]?.available
            if (available === undefined) return yield* new OrganizationNotFound({ id })
            yield* Ledger.grant({ organizationId: id, amount: Math.max(amount, -available), at, reason })
            yield* audit.record({ action: "credits.granted", subject: id, organizationId: id })
            return yield* get(id)
          })
        )
      })

      const ledger = Effect.fn("Organizations.ledger")(
        function* (id: string, page: Page) {
          yield* get(id)
          const own = sql`organization_id = ${id}`
          const rows = yield* sql`
          select at, case when source = 'granted' then 'grant' else 'charge' end as kind,
            (case when source = 'granted' then amount else -amount end)::float8 as amount, execution_id, reason
          from ledger where ${own} order by at desc, id desc limit ${page.limit} offset ${page.offset}`
            .unprepared
          const total = yield* someCounted(sql, sql`from ledger where ${own} order by at`, page.offset)
          const entries = yield* decodeRows(LedgerRow, rows)
          return { entries: entries.map(entryOf), total }
        },
        (read, id) => reading(id, read)
      )

      return Organizations.of({ create, get, list, grant, ledger, setDocumentExport })
    })
  )
}

const decodeOrganizations = (rows: ReadonlyArray<unknown>) =>
  Effect.map(decodeRows(OrganizationRow, rows), (found) => found.map(organizationOf))

const organizationOf = (row: typeof OrganizationRow.Type): Organization => ({
  id: row.id,
  name: row.name,
  plan: row.plan,
  credits: { balance: row.available, reserved: row.reserved },
  ...limitsFor(row.plan, "live", {
    requestsPerMinute: row.requests_per_minute ?? undefined,
    concurrentExecutions: row.concurrent_executions ?? undefined
  }),
  documentRetentionHours: row.document_retention_hours,
  outputRetentionDays: row.output_retention_days,
  documentExport: row.document_export,
  models: {
    tokensPerMonth: row.tokens_per_month,
    tokensThisMonth: row.tokens_this_month,
    keys: row.keys
  },
  createdAt: row.created_at.toISOString()
})

const entryOf = (row: typeof LedgerRow.Type): LedgerEntry => ({
  at: row.at.toISOString(),
  kind: row.kind,
  amount: row.amount,
  ...(row.execution_id === null ? {} : { executionId: row.execution_id }),
  ...(row.reason === null ? {} : { reason: row.reason })
})

/** Rounds to a thousandth: the database would refuse far smaller numbers. */
const thousandths = (time: number): number => Math.round(time * 1000) / 1000
