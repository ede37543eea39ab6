import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Migrator from "effect/sql/Migrator"
import foundation from "./migrations/0001_foundation.ts"
import deliveries from "./migrations/0002_deliveries.ts"
import sessions from "./migrations/0003_sessions.ts"
import events from "./migrations/0004_events.ts"
import auditAndRetention from "./migrations/0005_audit_and_retention.ts"
import flowPins from "./migrations/0006_flow_pins.ts"
import statements from "./migrations/0007_statements.ts"

/** Any fixed number: the processes that migrate one database take turns by it. */
const advisoryLock = 7_036_118

const run = Migrator.make({})({
  table: "docflow_migrations",
  loader: Migrator.fromRecord({
    "0001_foundation": foundation,
    "0002_deliveries": deliveries,
    "0003_sessions": sessions,
    "0004_events": events,
    "0005_audit_and_retention": auditAndRetention,
    "0006_flow_pins": flowPins,
    "0007_statements": statements
  })
})

/** Brings the database to the newest schema. Several processes may do so at once: they take turns. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql.withTransaction(
      Effect.andThen(sql`select pg_advisory_xact_lock(${advisoryLock}::bigint)`, run)
    )
  })
)
