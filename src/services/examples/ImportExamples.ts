import { DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { canonicalJson } from "../../support/CanonicalJson.ts"
import type { ExportedExample } from "../../domain/ExampleSummary.ts"
import { json } from "../../sql/Json.ts"
import { formOfKeys, keysOf } from "./ExampleKeys.ts"

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
export const importExamples = Effect.fnUntraced(function* (
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
      (id, execution_id, organization_id, environment, step, flow_id, created_at, keys_form, keys, words, fields)
    select given.id, null, ${organizationId}, environment, step, "flowId",
      ${yield* DateTime.nowAsDate}::timestamptz, ${formOfKeys}::int, keys, words, fields
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
