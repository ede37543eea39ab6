import { Effect } from "effect"
import { Retention } from "../src/services/retention/Retention.ts"
import { startPostgres } from "../test/durability/Postgres.ts"
import { textAt } from "../test/support/Json.ts"
import { TestService } from "../test/support/TestService.ts"

/**
 * How fast expired documents, outputs and executions are removed, and how much a kept execution takes up in PostgreSQL.
 *
 * `node bench/retention.ts [executions]`
 */

const count = Number(process.argv[2] ?? 5_000)
const tables = ["executions", "execution_events", "step_results", "ledger", "blob_uses", "blobs"]

/** Executions of two steps that ended 40 days ago, each with a document of 4 KB of its own. */
const fill = (organization: string) => [
  `insert into executions (id, organization_id, environment, flow_id, version, status, created_at, ended_at, document,
     variables, output, page_count, step_count)
   select 'exec_' || n, '${organization}', 'live', 'text', '1.0.0', 'completed', now() - interval '40 days',
     now() - interval '40 days', json_build_object('blob', encode(sha256(n::text::bytea), 'hex')), '{}',
     json_build_object('text', repeat('x', 500)), 1, 2 from generate_series(1, ${count}) n`,
  `insert into execution_events (execution_id, seq, at, kind, data)
   select id, n, created_at, 'step.started', case when n between 3 and 6 then '{"step":"read","percentage":50}'::json end
   from executions, generate_series(1, 7) n where id like 'exec_%' on conflict do nothing`,
  `insert into step_results (execution_id, path, kind, status, started_at, duration_ms, attempts, output)
   select id, path, 'parse', 'completed', created_at, 1, 1, json_build_object('text', repeat('y', 1000))
   from executions, unnest(array['read', 'fields']) path on conflict do nothing`,
  `insert into ledger (organization_id, source, target, amount, execution_id, at)
   select organization_id, 'available', 'spent', 1, id, created_at from executions`,
  `insert into blobs (blob, bytes) select document ->> 'blob', convert_to(repeat(md5(id), 128), 'utf8') from executions
   where document is not null on conflict do nothing`,
  `insert into blob_uses (blob, execution_id, purpose) select document ->> 'blob', id, 'document' from executions
   where document is not null on conflict do nothing`,
  "analyze"
]

const postgres = await startPostgres()
const service = await TestService.start({ DATABASE_URL: postgres.url, DOCFLOW_BLOBS: "database" })
const organization = (await service.tenant()).id

const sizes = async () => {
  await service.rows(`vacuum full ${tables.join(", ")}`)
  const rows = await service.rows(
    `select (${tables.map((table) => `pg_total_relation_size('${table}')`).join(" + ")})::text as bytes`
  )
  return Number(textAt(rows[0], "bytes"))
}

const sweep = (executionDays?: number) =>
  service.run(
    Effect.provide(
      Effect.flatMap(Retention, (retention) => retention.sweep),
      Retention.layer(executionDays)
    )
  )

const before = await sizes()
for (const statement of fill(organization)) await service.rows(statement)
const full = await sizes()

const timed = async (name: string, executionDays?: number): Promise<void> => {
  const begun = performance.now()
  await sweep(executionDays)
  const took = performance.now() - begun
  console.log(`${name.padEnd(40)}${Math.round((count / took) * 1000)} executions a second`)
}
await timed("documents and outputs are removed")
const kept = await sizes()
await timed("executions are removed", 39)
const left = await sizes()

const each = (bytes: number): string => `${((bytes - before) / count / 1024).toFixed(1).padStart(6)} KB`
console.log(`an execution of two steps                ${each(full)}`)
console.log(`without its document and output          ${each(kept)}`)
console.log(`removed                                  ${each(left)}`)
await service.stop()
await postgres.stop()
