import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type SqlError } from "effect/sql"
import { type ExampleSummary, ExportedExample } from "../../domain/ExampleSummary.ts"
import { LearnedField } from "../../domain/LearnedExample.ts"
import { Environment } from "../../domain/Organization.ts"
import { similarity } from "../../extraction/examples/Layout.ts"
import { Audit } from "../storage/Audit.ts"
import { canonicalJson } from "../../support/CanonicalJson.ts"
import { json } from "../../sql/Json.ts"
import { keysOf } from "./ExampleKeys.ts"

/** Examples without repetitions; one without common words is found for no document. */
const importable = (organizationId: string, examples: ReadonlyArray<ExportedExample>) => {
  const known = new Set<string>()
  return examples.flatMap(({ environment, fields, flowId, step, words }) => {
    const example = { environment, fields, flowId, step, words }
    const text = canonicalJson(example)
    const keys = keysOf(organizationId, environment, words)
    if (keys.length === 0 || known.has(text)) return []
    known.add(text)
    return [{ ...example, keys }]
  })
}

/** Stores the examples that an organization does not have yet, in one statement, and returns their number. */
const importExamples = Effect.fnUntraced(function* (
  organizationId: string,
  examples: ReadonlyArray<ExportedExample>
) {
  const sql = yield* SqlClient.SqlClient
  const random = yield* SecureRandom.SecureRandom
  const given = yield* Effect.forEach(importable(organizationId, examples), (example) =>
    Effect.map(random.ulid, (ulid) => ({ ...example, id: `ex_${ulid}` }))
  )
  // The same words have the same keys: the index finds those with one of them, and few have all. The offsets keep the planner
  // from reading all examples instead.
  const rows = yield* sql`
    insert into examples
      (id, execution_id, organization_id, environment, step, flow_id, created_at, keys, words, fields)
    select given.id, null, ${organizationId}, environment, step, "flowId",
      ${yield* DateTime.nowAsDate}::timestamptz, keys, words, fields
    from json_to_recordset(${json(sql, given)}::json) as given
      (id text, environment text, step text, "flowId" text, keys text[], words json, fields json)
    where not exists (
      select from example_keys cross join lateral (
        select * from examples where number = example_keys.number offset 0
      ) as stored
      where key = hashtextextended(given.keys[1], 0) and stored.keys = given.keys and stored.flow_id = given."flowId" and stored.step = given.step
        and stored.words::jsonb = given.words::jsonb and stored.fields::jsonb = given.fields::jsonb offset 0)
    returning id`
  return rows.length
})

/** There is no such example. */
export class ExampleNotFound extends Schema.TaggedError<ExampleNotFound>()("ExampleNotFound", {
  message: Schema.String
}) {}

const Row = Schema.Struct({
  id: Schema.String,
  flow_id: Schema.String,
  step: Schema.String,
  environment: Environment,
  execution_id: Schema.NullOr(Schema.String),
  organization_id: Schema.String,
  filename: Schema.NullOr(Schema.String),
  created_at: Schema.Date,
  enabled: Schema.Boolean,
  uses: Schema.Int,
  last_used_at: Schema.NullOr(Schema.Date),
  fields: Schema.Record(Schema.String, LearnedField)
})
const decodeRows = (rows: ReadonlyArray<unknown>) =>
  Effect.orDie(Schema.decodeUnknownEffect(Schema.Array(Row))(rows))

const ExportedRow = Schema.Struct({
  flow_id: Schema.String,
  step: Schema.String,
  environment: Environment,
  created_at: Schema.Date,
  words: ExportedExample.fields.words,
  fields: ExportedExample.fields.fields
})

const missing = (id: string) => new ExampleNotFound({ message: `Example not found: ${id}` })

const summaryOf = (row: typeof Row.Type): ExampleSummary => ({
  id: row.id,
  flowId: row.flow_id,
  step: row.step,
  environment: row.environment,
  executionId: row.execution_id,
  filename: row.filename,
  createdAt: row.created_at.toISOString(),
  enabled: row.enabled,
  uses: row.uses,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  fields: Object.entries(row.fields).map(([name, { by, corrected = false, value }]) =>
    by === undefined ? { name, value, corrected } : { name, value, corrected, by }
  )
})

/** Which examples: those of the layout of another one, and those that a person taught; all of them without either. */
interface Chosen {
  readonly like?: string | undefined
  readonly by?: string | undefined
}

const Words = Schema.Array(Schema.Struct({ id: Schema.String, words: ExportedExample.fields.words }))

/** The similarity from which documents have the same layout. */
const sameLayout = 0.5

interface Part {
  readonly limit: number
  readonly offset: number
}

/** The examples of organizations, for administrators: list, switch off, delete, export and import. */
export class ManagedExamples extends Context.Service<
  ManagedExamples,
  {
    /** Lists examples, the newest first. */
    list(
      organizationId: string,
      part: Part & Chosen
    ): Effect.Effect<
      { readonly examples: ReadonlyArray<ExampleSummary>; readonly total: number },
      SqlError.SqlError
    >
    /** Switches an example on or off. */
    setEnabled(
      id: string,
      enabled: boolean
    ): Effect.Effect<ExampleSummary, ExampleNotFound | SqlError.SqlError>
    /** Forgets what was learned, and returns the number of examples; of examples that others taught as well, the rest stays. */
    forget(organizationId: string, chosen: Chosen): Effect.Effect<number, SqlError.SqlError>
    remove(id: string): Effect.Effect<void, ExampleNotFound | SqlError.SqlError>
    /** Exports examples, the oldest first. */
    exported(
      organizationId: string,
      part: Part
    ): Effect.Effect<
      { readonly examples: ReadonlyArray<ExportedExample>; readonly total: number },
      SqlError.SqlError
    >
    /** Imports those that the organization does not have yet, and returns their number. */
    add(
      organizationId: string,
      examples: ReadonlyArray<ExportedExample>
    ): Effect.Effect<number, SqlError.SqlError>
  }
>()("docflow/ManagedExamples") {
  static readonly layer = Layer.effect(
    ManagedExamples,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* Audit
      const context = yield* Effect.context<SqlClient.SqlClient | SecureRandom.SecureRandom>()
      const columns = sql`e.id, e.flow_id, e.step, e.environment, e.execution_id, e.organization_id,
        e.created_at, e.enabled, e.uses, e.last_used_at, e.fields`
      const filename = sql`(select document->>'filename' from executions where id = e.execution_id) as filename`
      const counted = Effect.fnUntraced(function* (organizationId: string) {
        const [row] = yield* sql<{ total: number }>`
          select count(*)::int as total from examples where organization_id = ${organizationId}`
        return row?.total ?? 0
      })

      /** The condition for chosen examples of an organization. */
      const conditionOf = Effect.fnUntraced(function* (organizationId: string, { by, like }: Chosen) {
        const own = sql`e.organization_id = ${organizationId}`
        const theirs = sql`exists (select from json_each(e.fields) as one where one.value->>'by' = ${by ?? null})`
        const ofPerson = by === undefined ? own : sql`${own} and ${theirs}`
        if (like === undefined) return ofPerson
        const rows = yield* sql`
          select e.id, e.words from examples e join examples other on other.keys && e.keys
          where ${own} and other.id = ${like} and other.organization_id = e.organization_id`
        const alike = yield* Effect.orDie(Schema.decodeUnknownEffect(Words)(rows))
        const words = alike.find(({ id }) => id === like)?.words ?? []
        const ids = alike.filter((one) => similarity(words, one.words) >= sameLayout).map(({ id }) => id)
        return sql`${ofPerson} and e.id in (select json_array_elements_text(${json(sql, ids)}::json))`
      })

      const list = Effect.fn("ManagedExamples.list")(function* (organizationId: string, part: Part & Chosen) {
        const condition = yield* conditionOf(organizationId, part)
        const rows = yield* sql`
          select ${columns}, ${filename} from examples e where ${condition}
          order by created_at desc, id desc limit ${part.limit} offset ${part.offset}`
        const [row] = yield* sql<{ total: number }>`
          select count(*)::int as total from examples e where ${condition}`
        return { examples: (yield* decodeRows(rows)).map(summaryOf), total: row?.total ?? 0 }
      })

      const forget = Effect.fn("ManagedExamples.forget")(function* (organizationId: string, chosen: Chosen) {
        const condition = yield* conditionOf(organizationId, chosen)
        const { by } = chosen
        const rows =
          by === undefined
            ? yield* sql`delete from examples e where ${condition} returning id`
            : yield* sql`
                update examples e set fields = coalesce(
                  (select json_object_agg(one.key, one.value) from json_each(e.fields) as one
                    where one.value->>'by' is distinct from ${by}), '{}'::json)
                where ${condition} returning id`
        yield* sql`delete from examples where organization_id = ${organizationId} and fields::text = '{}'`
        yield* audit.record({
          action: "examples.forgotten",
          organizationId,
          subject: chosen.like ?? by ?? "all"
        })
        return rows.length
      })

      const setEnabled = Effect.fn("ManagedExamples.setEnabled")(function* (id: string, enabled: boolean) {
        const rows = yield* sql`
          update examples e set enabled = ${enabled} where id = ${id} returning ${columns}, ${filename}`
        const [row] = yield* decodeRows(rows)
        if (row === undefined) return yield* missing(id)
        const action = enabled ? ("example.enabled" as const) : ("example.disabled" as const)
        yield* audit.record({ action, subject: id, organizationId: row.organization_id })
        return summaryOf(row)
      })

      const remove = Effect.fn("ManagedExamples.remove")(function* (id: string) {
        const [row] = yield* sql<{ organization_id: string }>`
          delete from examples where id = ${id} returning organization_id`
        if (row === undefined) return yield* missing(id)
        yield* audit.record({ action: "example.deleted", subject: id, organizationId: row.organization_id })
      })

      const exported = Effect.fn("ManagedExamples.exported")(function* (organizationId: string, part: Part) {
        const rows = yield* sql`
          select flow_id, step, environment, created_at, words, fields from examples
          where organization_id = ${organizationId}
          order by created_at, id limit ${part.limit} offset ${part.offset}`
        const decoded = yield* Effect.orDie(Schema.decodeUnknownEffect(Schema.Array(ExportedRow))(rows))
        const examples = decoded.map(({ created_at, environment, fields, flow_id, step, words }) => ({
          flowId: flow_id,
          step,
          environment,
          createdAt: created_at.toISOString(),
          words,
          fields
        }))
        return { examples, total: yield* counted(organizationId) }
      })

      const add = Effect.fn("ManagedExamples.add")(function* (
        organizationId: string,
        examples: ReadonlyArray<ExportedExample>
      ) {
        const added = yield* importExamples(organizationId, examples).pipe(Effect.provideContext(context))
        yield* audit.record({ action: "examples.imported", organizationId, subject: `${added}` })
        return added
      })

      return ManagedExamples.of({ list, setEnabled, forget, remove, exported, add })
    })
  )
}
