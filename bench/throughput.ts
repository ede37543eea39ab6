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
import { LeanClient } from "./LeanClient.ts"
import { cpuTimeOf } from "./ServiceCpu.ts"
import { compare, rateOf } from "./SideBySide.ts"
import { workflowChains } from "./WorkflowChains.ts"

/**
 * Three trivial steps through the API with `wait`, next to chains of three jobs with a stored result each of
 * graphile-worker and pg-boss, and to workflows of `effect/workflow` with three activities, in turns on the same PostgreSQL. The
 * goals are ratios of at least 1, 1 and 4.
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
output: { value: { it: "\${{ steps.c }}" } }
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
const client = new LeanClient(service.address)
const body = Buffer.from(JSON.stringify({ wait: true, input: { document: { base64 } } }))
const request = client.prepare("/api/v1/flows/three/run", key, body)
/** A machine that is busy with something else may refuse a burst; callers try again then, as clients do. */
const execution = async (): Promise<void> => {
  const { status } = await client.send(request)
  if (status === 503) {
    await setTimeout(50)
    return execution()
  }
  if (status !== 200) throw new Error(`answered ${status}`)
}
const graphile = await graphileChains(postgres.url)
const boss = await bossChains(postgres.url)
const workflows = workflowChains(postgres.url)

const ratios = await compare(
  [
    { name: "docflow, three steps through the API", one: execution },
    { name: "graphile-worker, three jobs", one: graphile.one },
    { name: "pg-boss, three jobs", one: boss.one },
    { name: "effect/workflow, three activities", one: workflows.one }
  ],
  { atOnce: 32, count, rounds: 3 }
)

const { body: failed } = await service.call("GET", "/api/v1/runs?status=failed&limit=1", { key })
if (!Array.isArray(failed.executions) || failed.executions.length > 0) throw new Error("an execution failed")
const { pid = 0 } = service
const before = await cpuTimeOf(pid)
await rateOf(execution, count, 32)
const spent = ((await cpuTimeOf(pid)).service - before.service) / count
console.log(`service, CPU time of an execution: ${spent.toFixed(2)} ms`)

client.close()
await Promise.all([graphile.stop(), boss.stop(), workflows.stop()])
await service.end("SIGTERM")
await postgres.stop()
await rm(folder, { recursive: true, force: true })
const goals = [1, 1, 1, 4]
process.exitCode = ratios.every((ratio, index) => ratio >= (goals[index] ?? 1)) ? 0 : 1
