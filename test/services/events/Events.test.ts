import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { StreamedEvent } from "../../../src/api/EventStream.ts"
import { ExecutionEvents } from "../../../src/services/events/ExecutionEvents.ts"
import { runOf } from "../../support/Documents.ts"
import { at, textAt } from "../../support/Json.ts"
import { type Tenant, useService } from "../../support/TestService.ts"
import { until } from "../../support/Until.ts"
import { type Arrived, EventClient, percentagesOf, rises } from "./EventClient.ts"
import { defined } from "../../../src/support/Defined.ts"

const service = useService()

let gates = 0
/** Runs a flow; with `half` and `hold` the gate at which it waits is named too. */
const start = async (tenant: Tenant, flow: string) => {
  const gate = `gate-${(gates += 1)}`
  const variables = flow === "half" || flow === "hold" ? { gate } : undefined
  const { body } = await service.it.call("POST", `/flows/${flow}/run`, {
    key: tenant.live,
    body: await runOf(defined({ variables }))
  })
  return { id: textAt(body, "id"), gate }
}

const ended = async (tenant: Tenant, flow: string, status = "completed") => {
  const { gate, id } = await start(tenant, flow)
  service.it.gates.open(gate)
  await service.it.awaitStatus(tenant.live, id, status)
  return id
}

const open = (tenant: Tenant, id: string, after?: string) =>
  EventClient.open(service.it.address, tenant.live, id, after)

const openStreams = () => service.it.run(Effect.flatMap(ExecutionEvents, (events) => events.open))

const kinds = (events: ReadonlyArray<Arrived>) => events.map(({ event }) => event)

const storyOf = (step: string) => [`step.started ${step}`, `step.completed ${step}`]

/** Reads up to a number of events of the log, and goes away. */
const some = async (client: EventClient, count: number) => {
  const found: Array<Arrived> = []
  for await (const event of client.events()) {
    if (event.id !== undefined) found.push(event)
    if (found.length === count) break
  }
  client.disconnect()
  return found
}

/** As text, which the contract's schema reads again. */
const decode = Schema.decodeUnknownSync(StreamedEvent)
const conforms = ({ data, event, id }: Arrived) =>
  decode({ ...defined({ id }), event, data: JSON.stringify(data) })

describe("the events of an execution", () => {
  it("tell the whole story in order, and end with what GET returns", async () => {
    const tenant = await service.it.tenant()
    const { gate, id } = await start(tenant, "half")
    const client = await open(tenant, id)
    assert.strictEqual(client.status, 200)
    assert.strictEqual(client.headers.get("content-type"), "text/event-stream")
    assert.strictEqual(client.headers.get("x-ratelimit-limit"), "100000")
    const events: Array<Arrived> = []
    for await (const event of client.events()) {
      events.push(event)
      if (event.event === "step.started" && at(event.data, "step") === "three") {
        service.it.gates.open(gate)
      }
    }
    const logged = events.filter((event) => event.id !== undefined)
    assert.deepStrictEqual(
      logged.map(({ data, event }) => [event, at(data, "step")].join(" ").trim()),
      [
        "execution.pending",
        "execution.running",
        ...["one", "two", "three", "four"].flatMap(storyOf),
        "execution.completed"
      ]
    )
    assert.deepStrictEqual(
      logged.map((event) => Number(event.id)),
      logged.map((_, index) => index + 1)
    )
    assert.isTrue(rises(percentagesOf(events)), JSON.stringify(percentagesOf(events)))
    const { body } = await service.it.call("GET", `/runs/${id}`, { key: tenant.live })
    assert.deepStrictEqual(logged.at(-1)?.data, body)
    for (const event of events) conforms(event)
  })

  it.each([
    ["boom", "failed"],
    ["greet", "completed"]
  ])("of a run of %s that has %s are there afterwards", async (flow, status) => {
    const tenant = await service.it.tenant()
    const id = await ended(tenant, flow, status)
    const events = await (await open(tenant, id)).all()
    const last = events.at(-1)
    assert.strictEqual(last?.event, `execution.${status}`)
    assert.deepStrictEqual(
      last?.data,
      (await service.it.call("GET", `/runs/${id}`, { key: tenant.live })).body
    )
    if (flow === "boom") {
      const failed = events.find(({ event }) => event === "step.failed")
      assert.strictEqual(textAt(failed?.data, "error.message"), "it went boom")
    }
    for (const event of events) conforms(event)
  })

  it("end with the cancellation of an execution", async () => {
    const tenant = await service.it.tenant()
    const { id } = await start(tenant, "hold")
    const client = await open(tenant, id)
    const seen: Array<string> = []
    for await (const { event } of client.events()) {
      seen.push(event)
      if (event === "progress") await service.it.call("POST", `/runs/${id}/cancel`, { key: tenant.live })
    }
    assert.strictEqual(seen.at(-1), "execution.cancelled")
  })

  it("go on after every event that a client may have had last", async () => {
    const tenant = await service.it.tenant()
    const id = await ended(tenant, "half")
    const whole = await (await open(tenant, id)).all()
    for (const [index, { id: after }] of whole.slice(0, -1).entries()) {
      assert.deepStrictEqual(
        await (await open(tenant, id, after)).all(),
        whole.slice(index + 1),
        `after ${after}`
      )
    }
    assert.deepStrictEqual(await (await open(tenant, id, "0")).all(), whole)
    // EventSource comes back when a stream ends; 204 tells it that there is no more.
    for (const after of [String(whole.length), "999999999"]) {
      assert.strictEqual((await open(tenant, id, after)).status, 204)
    }
  })

  it("go on in the middle of the run, without a gap and without a percentage that falls", async () => {
    const tenant = await service.it.tenant()
    const { gate, id } = await start(tenant, "hold")
    const first = await (await open(tenant, id)).until(({ event }) => event === "progress")
    assert.strictEqual(percentagesOf(first).at(-1), 50)
    const last = first.findLast((event) => event.id !== undefined)?.id
    const again = await open(tenant, id, last)
    service.it.gates.open(gate)
    const rest = await again.all()
    const loggedKinds = kinds(rest).filter((kind) => kind !== "progress")
    assert.deepStrictEqual(loggedKinds, ["step.completed", "execution.completed"])
    assert.isTrue(rises(percentagesOf([...first, ...rest])))
    const logged = [...first, ...rest].flatMap((event) => (event.id === undefined ? [] : [Number(event.id)]))
    assert.deepStrictEqual(logged, [1, 2, 3, 4, 5])
  })

  it("are whole, however often a client goes away and comes back", async () => {
    const tenant = await service.it.tenant()
    for (const atOnce of [1, 2, 3, 5]) {
      const { gate, id } = await start(tenant, "half")
      const story: Array<Arrived> = []
      while (story.at(-1)?.event !== "execution.completed") {
        story.push(...(await some(await open(tenant, id, story.at(-1)?.id), atOnce)))
        service.it.gates.open(gate)
      }
      assert.deepStrictEqual(
        story.map((event) => Number(event.id)),
        Array.from({ length: 11 }, (_, index) => index + 1),
        `${atOnce} at once`
      )
    }
  })

  it("are the same for many at once", async () => {
    const tenant = await service.it.tenant()
    const { gate, id } = await start(tenant, "half")
    const clients = await Promise.all(Array.from({ length: 20 }, () => open(tenant, id)))
    service.it.gates.open(gate)
    const stories = await Promise.all(clients.map((client) => client.all()))
    const logged = stories.map((events) => events.filter((event) => event.id !== undefined))
    for (const story of logged) assert.deepStrictEqual(story, logged[0])
  })

  it("are left by a client that goes away: nothing stays behind", async () => {
    const tenant = await service.it.tenant()
    const { gate, id } = await start(tenant, "hold")
    const clients = await Promise.all(Array.from({ length: 10 }, () => open(tenant, id)))
    assert.strictEqual(await openStreams(), 10)
    for (const client of clients) client.disconnect()
    await until("every stream to be freed", async () => ((await openStreams()) === 0 ? true : undefined))
    service.it.gates.open(gate)
    await service.it.awaitStatus(tenant.live, id, "completed")
  })

  it("are refused beyond twice the executions that the organization may have at once", async () => {
    const tenant = await service.it.tenant({
      plan: "enterprise",
      concurrentExecutions: 2,
      requestsPerMinute: 1000
    })
    const { gate, id } = await start(tenant, "hold")
    const clients = await Promise.all(Array.from({ length: 4 }, () => open(tenant, id)))
    const refused = await open(tenant, id)
    assert.strictEqual(refused.status, 429)
    assert.strictEqual(textAt(await refused.json(), "error.code"), "CONCURRENT_LIMIT")
    clients[0]?.disconnect()
    const next = await until("a place to be free", async () => {
      const client = await open(tenant, id)
      return client.status === 200 ? client : undefined
    })
    service.it.gates.open(gate)
    assert.strictEqual((await next.all()).at(-1)?.event, "execution.completed")
  })

  it("are shown to nobody else", async () => {
    const [mine, other] = await Promise.all([service.it.tenant(), service.it.tenant()])
    const id = await ended(mine, "greet")
    const noRead = await service.it.key(mine.id, "live", ["flows:execute"])
    const asked = async (key: string, execution: string, after?: string) => {
      const client = await EventClient.open(service.it.address, key, execution, after)
      return `${client.status} ${textAt(await client.json(), "error.code")}`
    }
    assert.strictEqual(await asked(other.live, id), "404 EXECUTION_NOT_FOUND")
    assert.strictEqual(await asked(mine.test, id), "404 EXECUTION_NOT_FOUND")
    assert.strictEqual(await asked(mine.live, "exec_nowhere"), "404 EXECUTION_NOT_FOUND")
    assert.strictEqual(await asked(noRead, id), "403 FORBIDDEN")
    assert.strictEqual(await asked("", id), "401 UNAUTHORIZED")
    assert.strictEqual(await asked(mine.live, id, "the last one"), "400 INVALID_INPUT")
    assert.strictEqual(await openStreams(), 0)
  })

  it("keep nothing of the steps of an erased execution", async () => {
    const tenant = await service.it.tenant()
    const id = await ended(tenant, "half")
    await service.it.admin("DELETE", `/executions/${id}`)
    const events = await (await open(tenant, id)).all()
    assert.deepStrictEqual(kinds(events), ["execution.pending", "execution.running", "execution.completed"])
    assert.strictEqual(at(events.at(-1)?.data, "output"), undefined)
  })
})
