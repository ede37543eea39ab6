import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { asking } from "../security/AskingFlows.ts"
import { placeEmptyStore } from "../support/EmptyStore.ts"
import { modelServer, type ModelServer } from "../support/ModelServer.ts"
import { ServiceProcess, type Tenant } from "./ServiceProcess.ts"

const poison = "POISON"
/** The poison kills its process long before the others have their answers. */
const answerMs = 1_000
const others = 12
/** Far more restarts than are needed, each after a death. */
const mostRestarts = 60

/** The statuses of the others, once they have all ended or the process has died. */
const look = async (alive: ServiceProcess, tenant: Tenant, ids: ReadonlyArray<string>) => {
  for (;;) {
    const answers = await Promise.all(
      ids.map((id) => alive.call("GET", `/api/v1/runs/${id}`, { key: tenant.key }).catch(() => undefined))
    )
    const statuses = answers.map((answer) => answer?.body.status)
    if (statuses.includes(undefined)) return []
    if (!statuses.some((status) => status === "running" || status === "pending")) return statuses
    await sleep(200)
  }
}

describe.skipIf(process.env.DOCFLOW_TEST_LONG === undefined)(
  "an execution that kills every process that runs it (long: DOCFLOW_TEST_LONG)",
  () => {
    let folder = ""
    let scope: Scope.Closeable
    let models: ModelServer
    let service: Promise<ServiceProcess> | undefined

    const start = () =>
      ServiceProcess.start({
        DOCFLOW_DATA_DIR: join(folder, "data"),
        DOCFLOW_FLOWS_DIR: join(folder, "flows"),
        DOCFLOW_LLM: "openai:model",
        DOCFLOW_LLM_CONCURRENCY: "16",
        DOCFLOW_LLM_CONTEXT: "4000",
        DOCFLOW_READERS: "1",
        OPENAI_BASE_URL: `${models.url}/v1`,
        OPENAI_API_KEY: "key-of-the-tests"
      })

    const answering = async ({ text }: { readonly text: string }) => {
      const alive = await service
      if (text.includes(poison)) await alive?.end("SIGKILL")
      return sleep(answerMs, "A debt.")
    }

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "docflow-culprits-"))
      await placeEmptyStore(join(folder, "data/database"))
      await mkdir(join(folder, "flows/asking"), { recursive: true })
      await writeFile(join(folder, "flows/asking/1.0.0.yaml"), asking)
      scope = await Effect.runPromise(Scope.make())
      models = await Effect.runPromise(Scope.provide(modelServer(answering), scope))
    })
    afterAll(async () => {
      await (await service)?.end("SIGKILL")
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await rm(folder, { recursive: true, force: true })
    })

    it("takes none of those down that ran next to it", { timeout: 600_000 }, async () => {
      service = start()
      let alive = await service
      const tenant = await alive.makeOrganization()
      const run = async (text: string) => {
        const body = { input: { document: { base64: Buffer.from(text).toString("base64") } } }
        return (await alive.call("POST", "/api/v1/flows/asking/run", { key: tenant.key, body })).body.id
      }
      const ids: Array<string> = []
      for (let number = 0; number < others; number++) ids.push(await run(`Note ${number}\n`))
      await run(`${poison}\n`).catch(() => undefined)
      let statuses: ReadonlyArray<string | undefined> = []
      let restarts = -1
      while (statuses.length === 0 && restarts < mostRestarts) {
        if (restarts >= 0) {
          await alive.end("SIGKILL")
          service = start()
          alive = await service
        }
        restarts += 1
        statuses = await look(alive, tenant, ids)
      }
      assert.deepStrictEqual(
        statuses,
        Array.from({ length: others }, () => "completed")
      )
      assert.isAbove(restarts, 0)
    })
  }
)
