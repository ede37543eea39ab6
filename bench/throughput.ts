import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { startPostgres } from "../test/durability/Postgres.ts"
import { ServiceProcess } from "../test/durability/ServiceProcess.ts"
import { pdf } from "../test/support/Documents.ts"
import { bossChains, graphileChains } from "./Chains.ts"
import { cpuTimeOf } from "./ServiceCpu.ts"
import { compare, rateOf } from "./SideBySide.ts"

/**
 * Three trivial steps through the API with `wait`, next to chains of three jobs with a stored result each of
 * graphile-worker and pg-boss, in turns on the same PostgreSQL. The goal is a ratio of at least 1 to both.
 *
 * `node bench/throughput.ts [executions a round]`
 */

const count = Number(process.argv[2] ?? 600)
const three = `docflow: 1
id: three
version: 1.0.0
name: Three
document: { formats: [application/pdf] }
credits: { perPage: 1 }
steps:
  - { id: a, uses: transform, with: { value: 1 } }
  - { id: b, uses: transform, with: { value: 2 } }
  - { id: c, uses: transform, with: { value: 3 } }
output: { value: "\${{ steps.c }}" }
`

const folder = await mkdtemp(join(tmpdir(), "docflow-bench-"))
await mkdir(join(folder, "flows/three"), { recursive: true })
await writeFile(join(folder, "flows/three/1.0.0.yaml"), three)
const postgres = await startPostgres()
await Effect.runPromise(
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`create table bench_results (chain int, step int, result json)`
  ).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(postgres.url) })))
)
const service = await ServiceProcess.start({
  DATABASE_URL: postgres.url,
  DOCFLOW_DATA_DIR: join(folder, "data"),
  DOCFLOW_FLOWS_DIR: join(folder, "flows")
})
const { key } = await service.makeOrganization({ credits: 1_000_000, requestsPerMinute: 1_000_000 })
const base64 = await pdf()
/** A machine that is busy with something else may refuse a burst; callers try again then, as clients do. */
const execution = async (): Promise<void> => {
  const { body, status } = await service.call("POST", "/api/v1/flows/three/run", {
    key,
    body: { wait: true, input: { document: { base64 } } }
  })
  if (status === 503) {
    await setTimeout(50)
    return execution()
  }
  if (status !== 200 || body.status !== "completed") throw new Error(`answered ${status}, ${body.status}`)
}
const graphile = await graphileChains(postgres.url)
const boss = await bossChains(postgres.url)

const ratios = await compare(
  [
    { name: "docflow, three steps through the API", one: execution },
    { name: "graphile-worker, three jobs", one: graphile.one },
    { name: "pg-boss, three jobs", one: boss.one }
  ],
  { atOnce: 32, count, rounds: 3 }
)

const { pid = 0 } = service
const before = await cpuTimeOf(pid)
await rateOf(execution, count, 32)
const spent = ((await cpuTimeOf(pid)).service - before.service) / count
console.log(`service, CPU time of an execution: ${spent.toFixed(2)} ms`)

await Promise.all([graphile.stop(), boss.stop()])
await service.end("SIGTERM")
await postgres.stop()
await rm(folder, { recursive: true, force: true })
process.exitCode = ratios.every((ratio) => ratio >= 1) ? 0 : 1
