import { DateTime, Effect, type Function, Layer, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { layoutKeys } from "../../extraction/examples/Layout.ts"
import { LayoutWord, LearnedExample } from "../../domain/LearnedExample.ts"
import { RecentAcceptances } from "../../engine/placement/RecentAcceptances.ts"
import { BlobStoreFailure } from "../../providers/blobs/Blobs.ts"
import { LearnedExamples } from "../../providers/examples/LearnedExamples.ts"
import { makeBatches } from "../../sql/Batches.ts"
import { json } from "../../sql/Json.ts"
import { inSpan } from "../../support/InSpan.ts"

const decodeCompared = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: Schema.String,
      execution_id: Schema.NullOr(Schema.String),
      created_at: Schema.Date,
      words: Schema.Array(LayoutWord),
      fields: Schema.fromJsonString(LearnedExample.fields.fields)
    })
  )
)

/** The maximum number of examples that are compared with a document, and weighed against each other. */
const mostCompared = 8

/** The number of examples that are ranked by their keys: some of them may be switched off. */
const mostRanked = 50

/** The maximum number of examples that are looked at for a key, the newest ones; it bounds the work in large stores. */
const mostOfKey = 32

/**
 * Examples by the keys that they share with a page. A key counts for the less the more examples have it: what tells two
 * senders apart who use the same program for their invoices are the few keys that others do not have. Most organizations have no
 * example: no key is looked up for them. Neither an execution nor its replay is read by what was learned from it.
 */
const rankedBy = (sql: SqlClient.SqlClient, executionId: string, keys: ReadonlyArray<string>) => sql`
  with owner as materialized (
    select organization_id, environment, replay_of from executions run where id = ${executionId} and exists (
      select from examples one
      where one.organization_id = run.organization_id and one.environment = run.environment
    )
  ), lists as materialized (
    select array(
      select number from example_keys
      where key = hashtextextended(organization_id || ' ' || environment || ' ' || wanted.key, 0)
      order by number desc limit ${sql.literal(String(mostOfKey))}
    ) as numbers
    from owner cross join json_array_elements_text(${json(sql, keys)}::json) as wanted (key)
  ), alike as materialized (
    select number, sum(1::float8 / cardinality(numbers)) as shared
    from lists cross join lateral unnest(numbers) as number
    group by number order by shared desc, number desc limit ${sql.literal(String(mostRanked))}
  )
  select id, execution_id, created_at, words, fields::text as fields
  from alike join examples using (number) join owner using (organization_id, environment)
  where enabled and execution_id is distinct from ${executionId} 
    and (replay_of is null or execution_id is distinct from replay_of)
  order by shared desc, created_at desc limit ${sql.literal(String(mostCompared))}`

/** The examples that are most alike, of the organization that an execution belongs to. */
export const examplesLike = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  executionId: string,
  words: ReadonlyArray<LayoutWord>
) {
  const keys = layoutKeys(words)
  if (keys.length === 0) return []
  const compared = yield* Effect.orDie(decodeCompared(yield* rankedBy(sql, executionId, keys)))
  return compared.map(({ created_at, execution_id, fields, id, words }): LearnedExample => ({
    id,
    executionId: execution_id,
    learnedAt: created_at.getTime(),
    words,
    fields
  }))
})

/** Counts the uses of examples; each item is the id of one that was used. */
const countUses = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, ids: ReadonlyArray<string>) {
  yield* sql`
    update examples set uses = uses + counted.times, last_used_at = ${yield* DateTime.nowAsDate}::timestamptz
    from (
      select id, count(*)::int as times from json_array_elements_text(${json(sql, ids)}::json) as id group by id
    ) as counted
    where examples.id = counted.id`
  return ids.map(() => true)
})

/** The examples of the organization that an execution belongs to, for the steps. */
export const layer = Layer.effect(
  LearnedExamples,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const recent = yield* RecentAcceptances
    const uses = yield* makeBatches<string, boolean>({
      statement: (ids) => countUses(sql, ids),
      keyOf: (id) => id,
      sizeOf: (id) => id.length
    })
    const similar = Effect.fnUntraced(
      function* (executionId: string, layout: Function.LazyArg<ReadonlyArray<LayoutWord>>) {
        return recent.mayHaveExamples(executionId) ? yield* examplesLike(sql, executionId, layout()) : []
      },
      Effect.catchTag("SqlError", (cause: SqlError.SqlError) => Effect.fail(new BlobStoreFailure({ cause }))),
      inSpan("Examples.similar")
    )
    // The extraction does not wait for it: a statistic that is lost harms nobody.
    const used = (id: string) => Effect.asVoid(uses.offer(id))
    return { similar, used }
  })
)
