import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { connect } from "node:net"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { manyPages } from "../fixtures/Pdfs.ts"
import { allEnded, assertChargedOnce } from "./Ended.ts"
import { ServiceProcess } from "./ServiceProcess.ts"

describe("a process that is killed", () => {
  let folder = ""
  const started: Array<ServiceProcess> = []
  const start = async (settings: Record<string, string> = {}) => {
    const service = await ServiceProcess.start({ DOCFLOW_DATA_DIR: join(folder, "data"), ...settings })
    started.push(service)
    return service
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "docflow-restart-"))
  })
  afterAll(async () => {
    await Promise.all(started.map((service) => service.end("SIGKILL")))
    await rm(folder, { recursive: true, force: true })
  })

  it(
    "finishes every accepted execution after a restart and charges each once",
    { timeout: 120_000 },
    async () => {
      const pages = 20
      const base64 = Buffer.from(await manyPages(pages)).toString("base64")
      const first = await start()
      const tenant = await first.makeOrganization()
      const accepted = await Promise.all(
        Array.from({ length: 25 }, () =>
          first.call("POST", "/api/v1/flows/invoice/run", {
            key: tenant.key,
            body: { input: { document: { base64 } } }
          })
        )
      )
      assert.isTrue(accepted.every(({ status }) => status === 200))
      const unfinished = await first.call(
        "GET",
        `/api/admin/v1/organizations/${tenant.organizationId}/executions?status=running`
      )
      assert.isAbove(unfinished.body.total, 0, "the process is killed while it works")
      await first.end("SIGKILL")

      const second = await start()
      assert.isTrue(await allEnded(second, tenant, 60_000))
      await assertChargedOnce(
        second,
        tenant,
        accepted.map(({ body }) => body.id),
        pages
      )
    }
  )

  it("stops in good order on SIGTERM and leaves the folder free", async () => {
    const service = started.at(-1) ?? (await start())
    assert.strictEqual(await service.end("SIGTERM"), 0)
    const next = await start()
    const ready = await fetch(`${next.address}/health/ready`)
    assert.strictEqual(ready.status, 200)
  })

  it("exits at its deadline on SIGTERM although a request never ends", async () => {
    await started.at(-1)?.end("SIGTERM")
    const service = await start({ DOCFLOW_STOP_SECONDS: "1" })
    const { key } = await service.makeOrganization()
    const { hostname, port } = new URL(service.address)
    const socket = connect(Number(port), hostname)
    const head = [
      "POST /api/v1/flows/invoice/run HTTP/1.1",
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
})
