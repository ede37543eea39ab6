import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { freePorts, type Postgres, startPostgres } from "../durability/Postgres.ts"
import { ServiceProcess } from "../durability/ServiceProcess.ts"
import { at, listAt, textAt } from "../support/Json.ts"
import { useOwnService } from "../support/TestService.ts"
import { until } from "../support/Until.ts"

const promised = 5_000

describe("two processes over one PostgreSQL", () => {
  let folder = ""
  let postgres: Postgres | undefined
  const nodes: Array<ServiceProcess> = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "docflow-revocation-"))
    const [server, ports] = await Promise.all([startPostgres(), freePorts(2)])
    postgres = server
    nodes.push(
      ...(await Promise.all(
        ports.map((port, index) =>
          ServiceProcess.start({
            DATABASE_URL: server.url,
            DOCFLOW_CLUSTER_HOST: "127.0.0.1",
            DOCFLOW_CLUSTER_PORT: String(port),
            DOCFLOW_DATA_DIR: join(folder, `node-${index}`)
          })
        )
      ))
    )
  })

  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.end("SIGKILL")))
    await postgres?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  test("refuse a revoked key within 5 seconds, although both knew it and it is used all the time", async () => {
    const [first, second] = nodes
    if (first === undefined || second === undefined) throw new Error("the services did not start")
    const { key, organizationId } = await first.makeOrganization()
    const statuses = () =>
      Promise.all(nodes.map(async (node) => (await node.call("GET", "/api/v1/flows", { key })).status))
    expect(await statuses()).toEqual([200, 200])
    const listed = await fetch(`${first.address}/api/admin/v1/organizations/${organizationId}/keys`, {
      headers: { authorization: "Bearer durability-test-admin-token" }
    })
    const id = textAt(await listed.json(), "keys.0.id")

    const use = { isOver: false }
    const used = (async () => {
      while (!use.isOver) {
        await statuses()
        await sleep(100)
      }
    })()
    expect((await first.call("DELETE", `/api/admin/v1/keys/${id}`)).status).toBe(200)
    await sleep(promised)
    const after = await statuses()
    use.isOver = true
    await used
    expect(after).toEqual([401, 401])
  })
})

describe("one process", () => {
  const service = useOwnService()

  test("refuses a revoked key at once, names it INVALID_API_KEY, and refuses it for good", async () => {
    const { id, live } = await service.it.tenant()
    expect((await service.it.call("GET", "/flows", { key: live })).status).toBe(200)
    const { body } = await service.it.admin("GET", `/organizations/${id}/keys`)
    const keyId = listAt(body, "keys")
      .filter((key) => at(key, "environment") === "live")
      .map((key) => textAt(key, "id"))[0]
    await service.it.admin("DELETE", `/keys/${keyId}`)
    const answer = await until("the key to be refused", async () => {
      const found = await service.it.call("GET", "/flows", { key: live })
      return found.status === 401 ? found : undefined
    })
    expect(at(answer.body, "error.code")).toBe("INVALID_API_KEY")
    // Revoking it again changes nothing.
    expect((await service.it.admin("DELETE", `/keys/${keyId}`)).status).toBe(200)
    expect((await service.it.call("GET", "/flows", { key: live })).status).toBe(401)
  })
})
