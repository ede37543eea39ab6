import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Migrator from "effect/sql/Migrator"
import foundation from "./migrations/0001_foundation.ts"
import deliveries from "./migrations/0002_deliveries.ts"
import sessions from "./migrations/0003_sessions.ts"
import events from "./migrations/0004_events.ts"
import auditAndRetention from "./migrations/0005_audit_and_retention.ts"
import flowPins from "./migrations/0006_flow_pins.ts"
import statements from "./migrations/0007_statements.ts"
import expiringKeys from "./migrations/0008_expiring_keys.ts"
import examples from "./migrations/0010_examples.ts"
import exampleUses from "./migrations/0012_example_uses.ts"
import corrections from "./migrations/0009_corrections.ts"
import scopesOfCorrections from "./migrations/0013_scopes_of_corrections.ts"
import flowDrafts from "./migrations/0014_flow_drafts.ts"
import writes from "./migrations/0011_writes.ts"
import runs from "./migrations/0015_runs.ts"
import uncompressedBlobs from "./migrations/0016_uncompressed_blobs.ts"
import webhookEvents from "./migrations/0017_webhook_events.ts"
import documentExport from "./migrations/0018_document_export.ts"
import users from "./migrations/0019_users.ts"
import exampleKeys from "./migrations/0020_example_keys.ts"
import oldExecutions from "./migrations/0021_old_executions.ts"
import formsOfKeys from "./migrations/0022_forms_of_keys.ts"
import outputsOfRuns from "./migrations/0023_outputs_of_runs.ts"
import hasExamples from "./migrations/0024_has_examples.ts"
import keptPlans from "./migrations/0025_kept_plans.ts"
import applyWrites from "./migrations/0026_apply_writes.ts"
import acceptTogether from "./migrations/0027_accept_together.ts"
import hotTables from "./migrations/0028_hot_tables.ts"

/** Any fixed number: processes that migrate one database use it to take turns. */
const advisoryLock = 7_036_118

const migrations = {
  "0001_foundation": foundation,
  "0002_deliveries": deliveries,
  "0003_sessions": sessions,
  "0004_events": events,
  "0005_audit_and_retention": auditAndRetention,
  "0006_flow_pins": flowPins,
  "0007_statements": statements,
  "0008_expiring_keys": expiringKeys,
  "0009_corrections": corrections,
  "0010_examples": examples,
  "0011_writes": writes,
  "0012_example_uses": exampleUses,
  "0013_scopes_of_corrections": scopesOfCorrections,
  "0014_flow_drafts": flowDrafts,
  "0015_runs": runs,
  "0016_uncompressed_blobs": uncompressedBlobs,
  "0017_webhook_events": webhookEvents,
  "0018_document_export": documentExport,
  "0019_users": users,
  "0020_example_keys": exampleKeys,
  "0021_old_executions": oldExecutions,
  "0022_forms_of_keys": formsOfKeys,
  "0023_outputs_of_runs": outputsOfRuns,
  "0024_has_examples": hasExamples,
  "0025_kept_plans": keptPlans,
  "0026_apply_writes": applyWrites,
  "0027_accept_together": acceptTogether,
  "0028_hot_tables": hotTables
}

const run = Migrator.make({})({
  table: "docflow_migrations",
  loader: Migrator.fromRecord(migrations)
})

/** The version of the schema that this program works with. */
const newest = Math.max(...Object.keys(migrations).map((name) => Number.parseInt(name, 10)))

/** A newer docflow has changed the database. */
export class DatabaseTooNew extends Schema.TaggedError<DatabaseTooNew>()("DatabaseTooNew", {
  message: Schema.String
}) {}

/** Refuses a database whose schema is newer: this program might misread it. */
const refuseNewer = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [known] = yield* sql<{ there: boolean }>`
    select to_regclass('docflow_migrations') is not null as there`
  if (known?.there !== true) return
  const [row] = yield* sql<{ version: number }>`
    select coalesce(max(migration_id), 0)::int as version from docflow_migrations`
  const version = row?.version ?? 0
  if (version <= newest) return
  return yield* new DatabaseTooNew({
    message:
      `The database has schema version ${version}; this docflow supports versions up to ${newest}. ` +
      `Start a newer docflow, or restore a backup from before the upgrade`
  })
})

/** Brings the database to the newest schema. Several processes may do so at once: they take turns. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql.withTransaction(
      Effect.andThen(
        sql`select pg_advisory_xact_lock(${advisoryLock}::bigint)`,
        Effect.andThen(refuseNewer, run)
      )
    )
  })
)
