import { type Duration, Effect, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { LayoutWord } from "../../domain/LearnedExample.ts"
import { json } from "../../sql/Json.ts"
import { formOfKeys, keysOf } from "./ExampleKeys.ts"

const decodeRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: Schema.String,
      organization_id: Schema.String,
      environment: Schema.String,
      words: Schema.Array(LayoutWord)
    })
  )
)

const batchSize = 100

/** Gives new keys to some examples with keys of an older form, and returns their number. */
const renewSome = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const rows = yield* sql`
    select id, organization_id, environment, words from examples where keys_form < ${formOfKeys}::int
    order by keys_form, number limit ${batchSize}::int for update skip locked`
  const renewed = (yield* Effect.orDie(decodeRows(rows))).map(
    ({ environment, id, organization_id, words }) => ({
      id,
      keys: keysOf(organization_id, environment, words)
    })
  )
  if (renewed.length > 0)
    yield* sql`
      update examples set keys_form = ${formOfKeys}::int, keys = renewed.keys
      from json_to_recordset(${json(sql, renewed)}::json) as renewed (id text, keys text[])
      where examples.id = renewed.id`
  return renewed.length
})

/** Gives new keys to all examples whose keys an earlier version of the program made. */
export const renewKeys = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.repeat(sql.withTransaction(renewSome(sql)), { while: (renewed) => renewed === batchSize })
)

/** Renews keys at the start and then again and again: while versions are exchanged, an older process stores more old ones. */
export const keepKeysRenewed = (interval: Duration.Input) =>
  Effect.repeat(Effect.ignore(renewKeys), Schedule.spaced(interval))
