import { Effect, Exit, Scope } from "effect"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { freePorts, startPostgres } from "../test/durability/Postgres.ts"
import { rowsOf } from "../test/durability/Rows.ts"
import { allEnded } from "../test/durability/Ended.ts"
import { ServiceProcess } from "../test/durability/ServiceProcess.ts"
import { asking } from "../test/security/AskingFlows.ts"
import { modelServer } from "../test/support/ModelServer.ts"

/**
 * From the SIGKILL of one of two processes to the start of its last execution on the other one, for five kills. The goal is at
 * most 20 seconds. The executions wait for a model, so that takeover is measured and not the work.
 */

const rounds = 5
const executions = 40
const goalMs = 20_000
/** After so long without a takeover, something is wrong. */
const patienceMs = 90_000

const folder = await mkdtemp(join(tmpdir(), "docflow-bench-"))
await mkdir(join(folder, "flows/asking"), { recursive: true })
await writeFile(join(folder, "flows/asking/1.0.0.yaml"), asking)
const scope = await Effect.runPromise(Scope.make())
const models = await Effect.runPromise(
  Scope.provide(
    modelServer(() => "Nobody asks yet."),
    scope
  )
)
const postgres = await startPostgres()
const ports = await freePorts(2)
const startAt = (index: number) =>
  ServiceProcess.start({
    DATABASE_URL: postgres.url,
    DOCFLOW_CLUSTER_HOST: "127.0.0.1",
    DOCFLOW_CLUSTER_PORT: String(ports[index % 2]),
    DOCFLOW_CONCURRENCY: "128",
    DOCFLOW_DATA_DIR: join(folder, `node-${index % 2}`),
    DOCFLOW_FLOWS_DIR: join(folder, "flows"),
    DOCFLOW_LLM: "openai:model",
    DOCFLOW_LLM_CONCURRENCY: "128",
    DOCFLOW_LLM_CONTEXT: "4000",
    OPENAI_BASE_URL: `${models.url}/v1`,
    OPENAI_API_KEY: "key-of-the-bench"
  })
const nodes = [await startAt(0), await startAt(1)]
const nodeAt = (index: number): ServiceProcess => {
  const node = nodes[index % 2]
  if (node === undefined) throw new Error("no node started")
  return node
}

const times: Array<number> = []
for (let round = 0; round < rounds; round++) {
  const tenant = await nodeAt(round).makeOrganization()
  const document = { base64: Buffer.from("A debt.\n").toString("base64") }
  const asked = models.asked.length
  const held = Promise.withResolvers<string>()
  models.become(() => held.promise)
  for (let index = 0; index < executions; index++) {
    await nodeAt(index).call("POST", "/api/v1/flows/asking/run", {
      key: tenant.key,
      body: { input: { document } }
    })
  }
  while (models.asked.length < asked + executions) await sleep(50)
  const killedAt = Date.now()
  await nodeAt(round + 1).end("SIGKILL")
  const [before] = await starts(tenant.organizationId)
  // Nothing else starts these executions again, and what the process that is left runs is not started twice.
  let last = before
  for (let quiet = 0; quiet < 12_000 || last === before; quiet += 100) {
    await sleep(100)
    if (last === before && Date.now() - killedAt > patienceMs)
      throw new Error(
        "Nothing was taken over: the killed process ran none of the executions, or nobody looked for them"
      )
    const [now] = await starts(tenant.organizationId)
    if (now !== last) quiet = 0
    last = now
  }
  times.push(Number(last) - killedAt)
  held.resolve("A debt.")
  await allEnded(nodeAt(round), tenant, 60_000)
  nodes[(round + 1) % 2] = await startAt(round + 1)
  await sleep(5_000)
}

/** When the last execution of an organization was started, in milliseconds since 1970. */
async function starts(organizationId: string): Promise<ReadonlyArray<string>> {
  const rows = await rowsOf(
    postgres.url,
    `select (extract(epoch from max(v.at)) * 1000)::bigint::text as last from execution_events v
     join executions e on e.id = v.execution_id
     where v.kind = 'execution.running' and e.organization_id = '${organizationId}'`
  )
  return rows.map((row) => ("last" in row ? String(row.last) : ""))
}

const longest = Math.max(...times)
console.log(`taken over after ${times.map((time) => (time / 1000).toFixed(1)).join(", ")} s (goal: 20 s)`)
await Promise.all(nodes.map((node) => node.end("SIGKILL")))
await postgres.stop()
await Effect.runPromise(Scope.close(scope, Exit.void))
await rm(folder, { recursive: true, force: true })
process.exitCode = longest <= goalMs ? 0 : 1
