import { Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { readFileSync } from "node:fs"

const text = readFileSync(new URL("indexes.sql", import.meta.url), "utf8")
const indexes = [...text.matchAll(/^create index (\w+)[^;]*;/gmu)].map(([statement, name = ""]) => ({
  name,
  statement
}))

/** Any fixed number: the process that holds this lock makes indexes. */
const advisoryLock = 7_036_119

/** The indexes that are not there, or that an attempt to make them without blocking writes has left unusable. */
const missing = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ name: string }>`
      select name from json_array_elements_text(${JSON.stringify(indexes.map(({ name }) => name))}::text::json) as x(name)
      where not exists (select from pg_index where indexrelid = to_regclass(name) and indisvalid)`,
    (rows) => indexes.filter((index) => rows.some(({ name }) => name === index.name))
  )

/** Makes the missing indexes; nobody writes to their tables meanwhile. */
export const makeIndexes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const { statement } of yield* missing(sql)) yield* sql.unsafe(statement)
})

/** The same over a connection of its own, while others write. Another process that does so is left to it. */
const makeConcurrently = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // A process that waited for the lock would have a snapshot, for which the other one waits.
  const [lock] = yield* sql<{ held: boolean }>`select pg_try_advisory_lock(${advisoryLock}::bigint) as held`
  if (lock?.held !== true) return
  for (const { name, statement } of yield* missing(sql)) {
    yield* Effect.logInfo(`Making the index ${name}`)
    yield* sql.unsafe(`drop index concurrently if exists ${name}`)
    yield* sql.unsafe(statement.replace("create index", "create index concurrently"))
  }
})

/**
 * Makes the missing indexes of a server in the background, over `connection`, which has one without time limits. What fails,
 * or is left to another process, is looked at again a minute later.
 */
export const makeInBackground = <E extends { readonly message: string }, R>(
  connection: Layer.Layer<SqlClient.SqlClient, E, R>
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    if ((yield* missing(sql)).length === 0) return true
    yield* Effect.provide(makeConcurrently, Layer.fresh(connection))
    return (yield* missing(sql)).length === 0
  }).pipe(
    Effect.catch(({ message }) => Effect.as(Effect.logWarning("Making an index failed", message), false)),
    Effect.repeat({ schedule: Schedule.spaced("1 minute"), until: (isDone) => isDone }),
    Effect.forkScoped
  )
