import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePorts, type Postgres, startPostgres } from "../../durability/Postgres.ts"
import { ServiceProcess, type Tenant } from "../../durability/ServiceProcess.ts"
import { pdf } from "../../support/Documents.ts"
import { textAt } from "../../support/Json.ts"
import { type Arrived, EventClient, percentagesOf, rises } from "./EventClient.ts"

const pages = 40

const logged = (events: ReadonlyArray<Arrived>) => events.filter(({ id }) => id !== undefined)

/** Follows to the end; how many milliseconds after it happened each event of a step arrived. */
const delays = async (client: EventClient): Promise<ReadonlyArray<number>> => {
  const found: Array<number> = []
  for await (const { data, event } of client.events()) {
    if (event.startsWith("step.")) found.push(Date.now() - Date.parse(textAt(data, "at")))
  }
  return found
}

const start = async (service: ServiceProcess, tenant: Tenant) => {
  const document = { base64: await pdf(pages) }
  const { body } = await service.call("POST", "/api/v1/flows/invoice/run", {
    key: tenant.key,
    body: { input: { document } }
  })
  return body.id
}

describe("events over two processes and one PostgreSQL", () => {
  let folder = ""
  let postgres: Postgres | undefined
  const services: Array<ServiceProcess> = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "docflow-events-"))
    const [server, ports] = await Promise.all([startPostgres(), freePorts(2)])
    postgres = server
    const start = (port: number) =>
      ServiceProcess.start({
        DATABASE_URL: server.url,
        DOCFLOW_CLUSTER_HOST: "127.0.0.1",
        DOCFLOW_CLUSTER_PORT: String(port),
        DOCFLOW_DATA_DIR: join(folder, `node-${port}`)
      })
    services.push(...(await Promise.all(ports.map(start))))
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

  it("arrive when they happen, at the process that does not run the execution too", async () => {
    const tenant = await node(0).makeOrganization()
    const late: Array<number> = []
    for (let round = 0; round < 3; round += 1) {
      const id = await start(node(0), tenant)
      const clients = await Promise.all(
        [0, 1].map((index) => EventClient.open(node(index).address, tenant.key, id))
      )
      late.push(...(await Promise.all(clients.map(delays))).flat())
    }
    const [median = 0] = late.toSorted((a, b) => a - b).slice(late.length / 2)
    // The look-up that makes up for lost signals comes every 2 seconds.
    assert.isBelow(median, 500, JSON.stringify(late))
  })

  it("are the same at both, whichever runs the execution", async () => {
    const tenant = await node(0).makeOrganization()
    const executions = await Promise.all(Array.from({ length: 4 }, (_, index) => start(node(index), tenant)))
    const stories = await Promise.all(
      executions.map((id) =>
        Promise.all(
          [0, 1].map(async (index) => (await EventClient.open(node(index).address, tenant.key, id)).all())
        )
      )
    )
    for (const [here = [], there = []] of stories) {
      assert.deepStrictEqual(logged(here), logged(there))
      assert.strictEqual(here.at(-1)?.event, "execution.completed")
      assert.isTrue(rises(percentagesOf(here)) && rises(percentagesOf(there)))
    }
  })

  it("tell of a replay that is asked for at one process, on what the other has done", async () => {
    const tenant = await node(0).makeOrganization()
    const first = await start(node(1), tenant)
    await (await EventClient.open(node(1).address, tenant.key, first)).all()
    const { body, status } = await node(0).call("POST", `/api/v1/runs/${first}/replay`, {
      key: tenant.key,
      body: { fromStep: "fields" }
    })
    assert.strictEqual(status, 200)
    const story = await (await EventClient.open(node(1).address, tenant.key, body.id)).all()
    assert.deepStrictEqual(
      logged(story).map(({ event }) => event),
      [
        "execution.pending",
        "step.reused",
        "execution.running",
        "step.started",
        "step.completed",
        "execution.completed"
      ]
    )
    const ledger = await node(1).call("GET", `/api/admin/v1/organizations/${tenant.organizationId}/ledger`)
    const charges = ledger.body.entries.filter(({ kind }) => kind === "charge").map(({ amount }) => amount)
    assert.deepStrictEqual(charges, [-pages / 2, -pages])
  })

  it("go on at the other when one of them is killed: nothing is missing, nothing comes twice", async () => {
    const tenant = await node(0).makeOrganization()
    const executions = await Promise.all(Array.from({ length: 6 }, (_, index) => start(node(index), tenant)))
    let killed = false
    const follow = async (id: string): Promise<ReadonlyArray<Arrived>> => {
      const seen: Array<Arrived> = []
      const read = async (address: string) => {
        const last = seen.findLast((event) => event.id !== undefined)?.id
        const client = await EventClient.open(address, tenant.key, id, last)
        for await (const event of client.events()) {
          seen.push(event)
          if (!killed && event.event === "progress") {
            killed = true
            await node(1).end("SIGKILL")
          }
        }
      }
      await read(node(1).address).catch(() => undefined)
      while (!/^execution\.(completed|failed)$/u.test(seen.at(-1)?.event ?? "")) await read(node(0).address)
      return seen
    }
    const stories = await Promise.all(executions.map(follow))
    assert.isTrue(killed)
    for (const story of stories) {
      assert.strictEqual(story.at(-1)?.event, "execution.completed")
      assert.isTrue(rises(percentagesOf(story)), JSON.stringify(percentagesOf(story)))
      const ids = logged(story).map(({ id }) => Number(id))
      assert.deepStrictEqual(
        ids,
        ids.map((_, index) => index + 1)
      )
    }
  })
})
