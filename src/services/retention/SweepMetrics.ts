import { Effect, Metric } from "effect"
import { SqlClient } from "effect/sql"

const failed = Metric.counter("sweep_failures_total", {
  description: "Parts of sweeps that failed and are tried again, by part.",
  incremental: true
})
const removed = Metric.counter("sweep_removed_total", {
  description: "Executions of which a sweep removed what was kept for too long, by kind.",
  incremental: true
})
const backlog = Metric.gauge("sweep_backlog_organizations", {
  description: "Organizations of which something was due for removal when the last sweep began, by kind."
})
const sizes = Metric.gauge("table_bytes", {
  description: "The size of a table on disk with its indexes, in bytes."
})
const deadRows = Metric.gauge("table_dead_rows", {
  description: "Rows of a table that are not vacuumed yet."
})
const snapshot = Metric.gauge("oldest_snapshot_seconds", {
  description:
    "The age of the oldest transaction of the database: what was removed since it began takes up space."
})

/** Counts failures of a part; zero makes the part known before it fails. */
export const countFailures = (part: string, failures: number) =>
  Metric.update(Metric.withAttributes(failed, { part }), failures)

export const countRemoved = (kind: string, executions: number) =>
  Metric.update(Metric.withAttributes(removed, { kind }), executions)

export const reportBacklog = (kind: string, organizations: number) =>
  Metric.update(Metric.withAttributes(backlog, { kind }), organizations)

/** Reports the sizes and dead rows of all tables, and the age of the oldest snapshot. */
export const reportTables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ table: string; bytes: number; dead: number }>`
    select relname as table, pg_total_relation_size(relid)::float8 as bytes, n_dead_tup::float8 as dead
    from pg_stat_user_tables where schemaname = current_schema()`
  for (const { bytes, dead, table } of tables) {
    yield* Metric.update(Metric.withAttributes(sizes, { table }), bytes)
    yield* Metric.update(Metric.withAttributes(deadRows, { table }), dead)
  }
  const [oldest] = yield* sql<{ seconds: number }>`
    select coalesce(max(extract(epoch from now() - xact_start)), 0)::float8 as seconds
    from pg_stat_activity where datname = current_database() and backend_xmin is not null`
  yield* Metric.update(snapshot, oldest?.seconds ?? 0)
})
