import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startTelemetryReceiver, type TelemetryReceiver } from "../operation/TelemetryReceiver.ts"
import { asking, lookingUp } from "../security/AskingFlows.ts"
import { placeEmptyStore } from "../support/EmptyStore.ts"
import { fault, modelServer, type ModelServer } from "../support/ModelServer.ts"
import { until } from "../support/Until.ts"
import { hang, receiver } from "../services/webhooks/Receiver.ts"
import { allEnded, assertChargedOnce } from "./Ended.ts"
import { ServiceProcess } from "./ServiceProcess.ts"

const modelKey = "sk-the-key-of-the-model"
const namesSecret = "the-secret-of-the-names"
const inDocument = "Quillfeather"
const base64 = Buffer.from(`${inDocument} owes nobody anything.\n`).toString("base64")

const started = async (scope: Scope.Closeable) => ({
  models: await Effect.runPromise(
    Scope.provide(
      modelServer(() => fault.hang()),
      scope
    )
  ),
  names: await Effect.runPromise(Scope.provide(receiver(hang), scope))
})

describe("a process that is killed while a model or another service is asked", () => {
  let folder = ""
  let scope: Scope.Closeable
  let models: ModelServer
  let names: Awaited<ReturnType<typeof started>>["names"]
  let telemetry: TelemetryReceiver
  const services: Array<ServiceProcess> = []
  const start = async () => {
    const service = await ServiceProcess.start({
      DOCFLOW_DATA_DIR: join(folder, "data"),
      DOCFLOW_FLOWS_DIR: join(folder, "flows"),
      DOCFLOW_LLM: "openai:model",
      DOCFLOW_LLM_CONTEXT: "4000",
      OPENAI_BASE_URL: `${models.url}/v1`,
      OPENAI_API_KEY: modelKey,
      DOCFLOW_SECRET_NAMES: namesSecret,
      DOCFLOW_HOSTS_NAMES: "127.0.0.1",
      OTEL_EXPORTER_OTLP_ENDPOINT: telemetry.url
    })
    services.push(service)
    return service
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "docflow-asking-"))
    await placeEmptyStore(join(folder, "data/database"))
    scope = await Effect.runPromise(Scope.make())
    ;({ models, names } = await started(scope))
    telemetry = await startTelemetryReceiver()
    const flows = { asking, "looking-up": lookingUp(`http://127.0.0.1:${names.port}`) }
    for (const [id, text] of Object.entries(flows)) {
      await mkdir(join(folder, "flows", id), { recursive: true })
      await writeFile(join(folder, "flows", id, "1.0.0.yaml"), text)
    }
  })
  afterAll(async () => {
    await Promise.all(services.map((service) => service.end("SIGKILL")))
    await telemetry.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await rm(folder, { recursive: true, force: true })
  })

  it("asks once more, charges once, and repeats the Idempotency-Key", { timeout: 60_000 }, async () => {
    const first = await start()
    const tenant = await first.makeOrganization()
    const other = await first.makeOrganization()
    const made = await first.call("POST", `/api/admin/v1/organizations/${other.organizationId}/keys`, {
      body: { name: "t", environment: "test", scopes: ["flows:execute", "executions:read"] }
    })
    const run = (flow: string, key: string) =>
      first.call("POST", `/api/v1/flows/${flow}/run`, { key, body: { input: { document: { base64 } } } })
    const live = await run("asking", tenant.key)
    const test = await run("looking-up", made.body.key)
    await until("both to be asked", async () =>
      models.asked.length === 1 && names.received.length === 1 ? true : undefined
    )
    await first.end("SIGKILL")
    models.become(() => "A debt that is none.")
    names.become((response) =>
      response.writeHead(200, { "content-type": "application/json" }).end('{"name":"Q"}')
    )

    const second = await start()
    assert.isTrue(await allEnded(second, tenant, 40_000))
    assert.isTrue(await allEnded(second, other, 40_000))
    await assertChargedOnce(second, tenant, [live.body.id], 1)
    const looked = await second.call("GET", `/api/v1/runs/${test.body.id}`, { key: made.body.key })
    assert.strictEqual(looked.body.status, "completed")
    assert.lengthOf(models.asked, 2)
    const keys = names.received.map(({ headers }) => headers["idempotency-key"])
    assert.deepStrictEqual(keys, [`${test.body.id}/ask`, `${test.body.id}/ask`])
    await second.end("SIGTERM")
  })

  it("has told nobody of the document, the key or the secret", () => {
    const told = ["/v1/traces", "/v1/metrics", "/v1/logs"].map((path) => telemetry.received(path).join("\n"))
    assert.include(told[0] ?? "", "model.ask")
    const everything = [...told, ...services.map(({ logs }) => logs)].join("\n")
    const secrets = [modelKey, namesSecret, inDocument, "A debt that is none"]
    assert.deepStrictEqual(
      secrets.filter((secret) => everything.includes(secret)),
      []
    )
  })
})
