import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { hash } from "node:crypto"
import { readFileSync } from "node:fs"
import { makeIndexes } from "./Indexes.ts"

/**
 * The files of each migration, in `schema/`. The first one is edited in place until docflow's first release; from then on
 * migrations are only added, and a released one never changes.
 */
const migrations = [["tables", "ledger", "acceptance", "writes", "retention"]].map((files) => {
  const script = files
    .map((file) => readFileSync(new URL(`schema/${file}.sql`, import.meta.url), "utf8"))
    .join("\n")
  return { script, hash: hash("sha256", script) }
})

/** Any fixed number: processes that migrate one database use it to take turns. */
const advisoryLock = 7_036_118

/** The database belongs to another version of docflow. */
export class ForeignDatabase extends Schema.TaggedError<ForeignDatabase>()("ForeignDatabase", {
  message: Schema.String
}) {}

const tooNew = (version: number) =>
  new ForeignDatabase({
    message:
      `The database has schema version ${version}; this docflow supports versions up to ${migrations.length}. ` +
      `Start a newer docflow, or restore a backup from before the upgrade`
  })

const fromBeforeRelease = new ForeignDatabase({
  message:
    "The database is from before the first release of docflow and cannot be used with this version: set DOCFLOW_DATA_DIR " +
    "to an empty folder, or DATABASE_URL to an empty database"
})

/** How many of the migrations the database has had. */
const readVersion = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  yield* sql`create table if not exists docflow_schema (
    version int primary key, hash text not null, migrated_at timestamptz not null default now())`
  const known = yield* sql<{ version: number; hash: string }>`
    select version, hash from docflow_schema order by version`
  const last = known.at(-1)?.version ?? 0
  if (last > migrations.length) return yield* tooNew(last)
  const isOther = known.some(({ hash, version }) => migrations[version - 1]?.hash !== hash)
  const [older] = yield* sql`select where to_regclass('docflow_migrations') is not null`
  return isOther || older !== undefined ? yield* fromBeforeRelease : last
})

/** PostgreSQL takes several commands in one string only from inside. */
const runScript = (sql: SqlClient.SqlClient, script: string) =>
  sql.unsafe(`do $migration$ begin execute $script$${script}$script$; end $migration$`)

/** Says so where another process keeps this one waiting. */
const takeTurn = (sql: SqlClient.SqlClient) =>
  sql`select pg_advisory_xact_lock(${advisoryLock}::bigint)`.pipe(
    Effect.raceFirst(
      Effect.logWarning(
        `Waiting for another process that migrates the database. If none does, end the connection that holds the ` +
          `advisory lock ${advisoryLock} (pg_locks shows its pid)`
      ).pipe(Effect.delay("10 seconds"), Effect.andThen(Effect.never))
    )
  )

/** Brings the database to the newest schema. Several processes may do so at once: they take turns. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* takeTurn(sql)
        const version = yield* readVersion(sql)
        for (const [index, { hash, script }] of migrations.entries()) {
          if (index < version) continue
          yield* runScript(sql, script)
          yield* sql`insert into docflow_schema (version, hash) values (${index + 1}, ${hash})`
        }
        if (version === 0) yield* makeIndexes
      })
    )
  })
)
