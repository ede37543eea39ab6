import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ServiceProcess } from "../durability/ServiceProcess.ts"
import { placeEmptyStore } from "../support/EmptyStore.ts"
import { startTelemetryReceiver, type TelemetryReceiver } from "./TelemetryReceiver.ts"

describe("what a run leaves in traces, metrics and logs", () => {
  let folder = ""
  let receiver: TelemetryReceiver | undefined
  let logs = ""
  let executionId = ""
  let key = ""
  const exported = (path: string): string => receiver?.received(path).join("\n") ?? ""

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "docflow-telemetry-"))
    await placeEmptyStore(join(folder, "database"))
    receiver = await startTelemetryReceiver()
    const service = await ServiceProcess.start({
      DOCFLOW_DATA_DIR: folder,
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url
    })
    const tenant = await service.makeOrganization()
    key = tenant.key
    const base64 = (await readFile("examples/invoice.pdf")).toString("base64")
    const run = await service.call("POST", "/api/v1/flows/invoice/run?key=query-secret", {
      key,
      body: {
        wait: true,
        timeout: 60_000,
        input: { document: { base64 } },
        webhookUrl: "https://hooks.example/hook",
        webhookSecret: "the-webhook-secret"
      }
    })
    executionId = run.body.id
    assert.strictEqual(run.body.status, "completed")
    await service.end("SIGTERM")
    logs = service.logs
  })

  afterAll(async () => {
    await receiver?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it("has a span for the request, each step and each query", () => {
    const names = [...exported("/v1/traces").matchAll(/"name":"([^"]+)"/gu)].map(([, name]) => name)
    assert.include(names, "POST /flows/{flowId}/run")
    assert.isAtLeast(names.filter((name) => name === "step").length, 2)
    assert.isAtLeast([...exported("/v1/traces").matchAll(/"db\.query\.text"/gu)].length, 5)
    assert.include(exported("/v1/traces"), executionId)
  })

  it("has metrics and logs", () => {
    assert.isAbove(exported("/v1/metrics").length, 2)
    assert.include(exported("/v1/logs"), "request")
  })

  it("logs a line for the request with its id, and the execution's", () => {
    const line = logs.split("\n").find((text) => text.includes("/api/v1/flows/invoice/run"))
    assert.match(line ?? "", /req_[0-9A-Z]{26}/u)
    assert.include(line ?? "", '"status":200')
    assert.include(logs, executionId)
  })

  it("holds no text of the document, no key and no secret", () => {
    const everything = [logs, exported("/v1/traces"), exported("/v1/metrics"), exported("/v1/logs")].join(
      "\n"
    )
    const secrets = [
      key,
      "query-secret",
      "the-webhook-secret",
      "Northwind Paper Supply",
      "INV-12542",
      "678.81"
    ]
    assert.deepStrictEqual(
      secrets.filter((secret) => everything.includes(secret)),
      []
    )
  })
})
