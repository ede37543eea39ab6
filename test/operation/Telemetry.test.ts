import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ServiceProcess } from "../durability/ServiceProcess.ts"
import { until } from "../support/Until.ts"
import { placeEmptyStore } from "../support/EmptyStore.ts"
import { startTelemetryReceiver, type TelemetryReceiver } from "./TelemetryReceiver.ts"

describe("what a run leaves in traces, metrics and logs", () => {
  let folder = ""
  let receiver: TelemetryReceiver | undefined
  let logs = ""
  let executionId = ""
  let key = ""
  let metrics = ""
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
    metrics = await until("an attempt to deliver the webhook", async () => {
      const served = await (await fetch(`${service.address}/metrics`)).text()
      return served.includes("docflow_webhook_attempts_total") ? served : undefined
    })
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

  it("has the metrics that the dashboard and the alerts of deploy/ use", async () => {
    const sources = await Promise.all(
      (await readdir("src", { recursive: true }))
        .filter((name) => name.endsWith(".ts"))
        .map((name) => readFile(join("src", name), "utf8"))
    )
    const named = /Metric\.(?:counter|gauge|histogram)\("([a-z_]+)"/gu
    const made = new Set([...sources.join("\n").matchAll(named)].map(([, name]) => `docflow_${name}`))
    const files = [
      await readFile("deploy/grafana.json", "utf8"),
      await readFile("deploy/alerts.yaml", "utf8")
    ]
    const used = new Set(
      [...files.join("\n").matchAll(/docflow_[a-z_]+/gu)].map(([name]) => name.replace(/_bucket$/u, ""))
    )
    assert.isAtLeast(used.size, 10)
    assert.deepStrictEqual(
      [...used].filter((name) => !made.has(name)),
      []
    )
    // Without a model, nothing is counted for models.
    const served = [...made].filter((name) => !name.startsWith("docflow_model_"))
    assert.deepStrictEqual(
      served.filter((name) => !metrics.includes(`# TYPE ${name} `)),
      []
    )
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
