import { Effect, Exit, Scope } from "effect"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startPostgres } from "../test/durability/Postgres.ts"
import { asking } from "../test/security/AskingFlows.ts"
import { modelServer } from "../test/support/ModelServer.ts"
import { ServiceProcess, type Tenant } from "../test/durability/ServiceProcess.ts"
import { rateOf } from "./SideBySide.ts"

/**
 * How long an organization's first execution takes while another organization has thousands of executions pending: each of
 * those waits 0.2 s for a model, so that they last. The goal is at most 2 s, with `wait` and in the background.
 *
 * `node bench/fairness.ts [executions of the other organization]`
 */

const flood = Number(process.argv[2] ?? 10_000)
const rounds = 5
const slow = 200

const scope = await Effect.runPromise(Scope.make())
const model = await Effect.runPromise(
  Scope.provide(
    modelServer(() => new Promise((resolve) => setTimeout(() => resolve("A debt."), slow))),
    scope
  )
)

const folder = await mkdtemp(join(tmpdir(), "docflow-bench-"))
await mkdir(join(folder, "flows/asking"), { recursive: true })
await writeFile(join(folder, "flows/asking/1.0.0.yaml"), asking)
const postgres = await startPostgres()
const service = await ServiceProcess.start({
  DATABASE_URL: postgres.url,
  DOCFLOW_DATA_DIR: join(folder, "data"),
  DOCFLOW_FLOWS_DIR: join(folder, "flows"),
  DOCFLOW_QUEUE: String(2 * flood),
  DOCFLOW_LLM: "openai:model",
  DOCFLOW_LLM_CONCURRENCY: "64",
  DOCFLOW_LLM_CONTEXT: "4000",
  OPENAI_BASE_URL: `${model.url}/v1`,
  OPENAI_API_KEY: "key-of-the-benchmark"
})
const settings = { requestsPerMinute: 1_000_000, concurrentExecutions: 1_000_000, credits: 1_000_000 }
const big = await service.makeOrganization({ name: "big", ...settings })
const small = await service.makeOrganization({ name: "small", ...settings })

const base64 = Buffer.from("A note").toString("base64")
const run = async ({ key }: Tenant, wait: boolean) => {
  const answer = await service.call("POST", "/api/v1/flows/asking/run", {
    key,
    body: { wait, input: { document: { base64 } } }
  })
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${answer.body.error.message}`)
  return answer.body
}
const inBackground = async (): Promise<number> => {
  const begun = performance.now()
  const { id } = await run(small, false)
  for (;;) {
    const { body } = await service.call("GET", `/api/v1/runs/${id}`, { key: small.key })
    if (body.status === "completed") return performance.now() - begun
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
const waited = async (): Promise<number> => {
  const begun = performance.now()
  await run(small, true)
  return performance.now() - begun
}

await waited()
const alone = await waited()
await rateOf(() => run(big, false), flood, 32)
const { body } = await service.call(
  "GET",
  `/api/admin/v1/organizations/${big.organizationId}/executions?status=pending`
)
console.log(`${body.total} executions of the other organization are pending`)
const times: Array<{ readonly waited: number; readonly background: number }> = []
for (let round = 0; round < rounds; round++) {
  times.push({ waited: await waited(), background: await inBackground() })
}
const longest = (of: (time: (typeof times)[number]) => number) => Math.max(...times.map(of))
console.log(`ms until the first result of an organization, longest of ${rounds}`)
console.log(`alone                ${alone.toFixed(0).padStart(8)}`)
console.log(
  `with wait            ${longest((time) => time.waited)
    .toFixed(0)
    .padStart(8)}`
)
console.log(
  `in the background    ${longest((time) => time.background)
    .toFixed(0)
    .padStart(8)}`
)
await service.end("SIGKILL")
await postgres.stop()
await Effect.runPromise(Scope.close(scope, Exit.void))
await rm(folder, { recursive: true, force: true })
process.exitCode = longest((time) => Math.max(time.waited, time.background)) - alone <= 2_000 ? 0 : 1
