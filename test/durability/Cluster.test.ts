import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { manyPages } from "../fixtures/Pdfs.ts"
import { allEnded, assertChargedOnce } from "./Ended.ts"
import { freePorts, type Postgres, startPostgres } from "./Postgres.ts"
import { ServiceProcess, type Tenant } from "./ServiceProcess.ts"

const pages = 12

describe("two processes over one PostgreSQL", () => {
  let folder = ""
  let postgres: Postgres | undefined
  let base64 = ""
  const services: Array<ServiceProcess> = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "docflow-cluster-"))
    const [server, ports, pdf] = await Promise.all([startPostgres(), freePorts(2), manyPages(pages)])
    postgres = server
    base64 = Buffer.from(pdf).toString("base64")
    const started = await Promise.all(
      ports.map((port, index) =>
        ServiceProcess.start({
          DATABASE_URL: server.url,
          DOCFLOW_CLUSTER_HOST: "127.0.0.1",
          DOCFLOW_CLUSTER_PORT: String(port),
          DOCFLOW_DATA_DIR: join(folder, `node-${index}`)
        })
      )
    )
    services.push(...started)
  })

  afterAll(async () => {
    await Promise.all(services.map((service) => service.end("SIGKILL")))
    await postgres?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const node = (index: number): ServiceProcess => {
    const service = services[index % services.length]
    if (service === undefined) throw new Error("the services did not start")
    return service
  }

  const post = (service: ServiceProcess, tenant: Tenant, rest: Record<string, unknown> = {}) =>
    service.call("POST", "/api/v1/flows/invoice/run", {
      key: tenant.key,
      body: { input: { document: { base64 } }, ...rest }
    })

  it("make one execution of an idempotency key that is posted to both", async () => {
    const tenant = await node(0).makeOrganization()
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        post(node(index), tenant, { idempotencyKey: "posted-to-both", wait: true })
      )
    )
    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      answers.map(() => 200)
    )
    assert.strictEqual(new Set(answers.map(({ body }) => body.id)).size, 1)
    await assertChargedOnce(node(1), tenant, [answers[0]?.body.id ?? ""], pages)
  })

  it("wake a caller that waits at the other process", async () => {
    const tenant = await node(0).makeOrganization()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => post(node(index), tenant, { wait: true }))
    )
    assert.deepStrictEqual(
      answers.map(({ body }) => body.status),
      answers.map(() => "completed")
    )
  })

  it("share the rate limit", async () => {
    const tenant = await node(0).makeOrganization({ requestsPerMinute: 10 })
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => node(index).call("GET", "/api/v1/flows", { key: tenant.key }))
    )
    const allowed = answers.filter(({ status }) => status === 200).length
    // The minute may turn once while the requests are made.
    assert.isAtLeast(allowed, 10)
    assert.isAtMost(allowed, 20)
    assert.isTrue(answers.some(({ status }) => status === 429))
  })

  it("finish everything within 25 seconds after one of them is killed, and charge each once", async () => {
    const tenant = await node(0).makeOrganization()
    const accepted = await Promise.all(Array.from({ length: 60 }, (_, index) => post(node(index), tenant)))
    assert.isTrue(accepted.every(({ status }) => status === 200))
    await node(1).end("SIGKILL")
    assert.isTrue(await allEnded(node(0), tenant, 25_000))
    await assertChargedOnce(
      node(0),
      tenant,
      accepted.map(({ body }) => body.id),
      pages
    )
  })
})
