import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { once } from "node:events"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { connect } from "node:net"
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
/** A document of so many words that a model is asked about it in several parts; it answers those before the last. */
const inParts = Array.from({ length: 700 }, (_, line) => `Clause ${line} is as long as others are.`).join(
  "\n"
)
const unanswered = "Clause 699"
/** Places of a process. One organization holds at most seven eighths of them. */
const places = 16
/** How many executions run when the process is killed, and how many more wait for their turn. */
const running = 14
const waiting = 11

const started = async (scope: Scope.Closeable) => ({
  models: await Effect.runPromise(
    Scope.provide(
      modelServer(({ text }) =>
        text.includes("Clause") && !text.includes(unanswered) ? "A part." : fault.hang()
      ),
      scope
    )
  ),
  names: await Effect.runPromise(Scope.provide(receiver(hang), scope))
})

describe("a process over an embedded database", () => {
  let folder = ""
  let scope: Scope.Closeable
  let models: ModelServer
  let names: Awaited<ReturnType<typeof started>>["names"]
  let telemetry: TelemetryReceiver
  const services: Array<ServiceProcess> = []
  const start = async (settings: Record<string, string> = {}) => {
    const service = await ServiceProcess.start({
      DOCFLOW_CONCURRENCY: String(places),
      DOCFLOW_DATA_DIR: join(folder, "data"),
      DOCFLOW_FLOWS_DIR: join(folder, "flows"),
      DOCFLOW_LLM: "openai:model",
      DOCFLOW_LLM_CONCURRENCY: String(places),
      DOCFLOW_LLM_CONTEXT: "4000",
      DOCFLOW_READERS: "1",
      OPENAI_BASE_URL: `${models.url}/v1`,
      OPENAI_API_KEY: modelKey,
      DOCFLOW_SECRET_NAMES: namesSecret,
      DOCFLOW_HOSTS_NAMES: "127.0.0.1",
      OTEL_EXPORTER_OTLP_ENDPOINT: telemetry.url,
      ...settings
    })
    services.push(service)
    return service
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "docflow-restart-"))
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

  it(
    "killed while it works, finishes everything after a restart: asks what was not answered, charges once, repeats the Idempotency-Key",
    { timeout: 300_000 },
    async () => {
      const first = await start()
      const tenant = await first.makeOrganization()
      const other = await first.makeOrganization()
      const made = await first.call("POST", `/api/admin/v1/organizations/${other.organizationId}/keys`, {
        body: { name: "t", environment: "test", scopes: ["flows:execute", "executions:read"] }
      })
      const run = (flow: string, key: string, text = base64) =>
        first.call("POST", `/api/v1/flows/${flow}/run`, {
          key,
          body: { input: { document: { base64: text } } }
        })
      const test = await run("looking-up", made.body.key)
      await until("the other service to be asked", async () =>
        names.received.length === 1 ? true : undefined
      )
      const reader = await first.makeOrganization()
      const long = await run("asking", reader.key, Buffer.from(inParts).toString("base64"))
      const halfway = await until("all parts but one to be answered", async () => {
        const { body } = await first.call("GET", `/api/v1/runs/${long.body.id}`, { key: reader.key })
        const parts = models.asked.length
        const isLast = models.asked.some(({ text }) => text.includes(unanswered))
        // The first half is the step before; the second grows with each answer that was kept, to the one made of all.
        const keptOfAll = (body.progress.percentage / 50 - 1) * (parts + 1)
        return isLast && keptOfAll > parts - 1.5 ? parts : undefined
      })
      assert.isAbove(halfway, 2)
      const live = await Promise.all(
        Array.from({ length: running + waiting }, () => run("asking", tenant.key))
      )
      await until("the model to be asked", async () =>
        models.asked.length === halfway + running ? true : undefined
      )
      await first.end("SIGKILL")
      models.become(() => "A debt that is none.")
      names.become((response) =>
        response.writeHead(200, { "content-type": "application/json" }).end('{"name":"Q"}')
      )

      const second = await start()
      assert.isTrue(await allEnded(second, tenant))
      assert.isTrue(await allEnded(second, other))
      assert.isTrue(await allEnded(second, reader))
      await assertChargedOnce(
        second,
        tenant,
        live.map(({ body }) => body.id),
        1
      )
      const looked = await second.call("GET", `/api/v1/runs/${test.body.id}`, { key: made.body.key })
      assert.strictEqual(looked.body.status, "completed")
      // Of the long document the part that was not answered, and one answer made of all.
      assert.lengthOf(models.asked, halfway + running + live.length + 2)
      const keys = names.received.map(({ headers }) => headers["idempotency-key"])
      assert.deepStrictEqual(keys, [`${test.body.id}/ask`, `${test.body.id}/ask`])
    }
  )

  it("stops cleanly on SIGTERM and leaves the folder free; stops at its deadline although a request never ends", async () => {
    assert.strictEqual(await services.at(-1)?.end("SIGTERM"), 0)
    const service = await start({ DOCFLOW_STOP_SECONDS: "1" })
    const { key } = await service.makeOrganization()
    const { hostname, port } = new URL(service.address)
    const socket = connect(Number(port), hostname)
    const head = [
      "POST /api/v1/flows/asking/run HTTP/1.1",
      `Host: ${hostname}`,
      `Authorization: Bearer ${key}`
    ]
    const body = ["Content-Type: application/json", "Content-Length: 1000", "Expect: 100-continue"]
    socket.write([...head, ...body, "", ""].join("\r\n"))
    await once(socket, "data")
    socket.on("error", () => undefined).write("{")
    assert.strictEqual(await service.end("SIGTERM"), 1)
    assert.include(service.logs, "stopping took longer than 1 s (DOCFLOW_STOP_SECONDS)")
    socket.destroy()
  })

  it("tells nobody of the document, the key or the secret", () => {
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
