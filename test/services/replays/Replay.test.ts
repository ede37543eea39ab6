import { assert, describe, it } from "@effect/vitest"
import { rmSync } from "node:fs"
import { afterAll, vi } from "vitest"
import { runOf } from "../../support/Documents.ts"
import { at, listAt, numberAt, textAt } from "../../support/Json.ts"
import { type Tenant, useOwnService } from "../../support/TestService.ts"
import { EventClient } from "../events/EventClient.ts"
import { type Ran, refused, writeReplayFlows } from "./ReplayFlows.ts"
import { defined } from "../../../src/support/Defined.ts"

const flows = writeReplayFlows()
const service = useOwnService({ DOCFLOW_FLOWS_DIR: flows })
afterAll(() => rmSync(flows, { recursive: true }))

let gates = 0

/** Runs `work` on three pages (6 credits), with its gate open or closed: then its third step fails. */
const ran = async (
  version: string,
  how: "open" | "closed",
  options: { readonly key?: string; readonly tenant?: Tenant } = {}
): Promise<Ran> => {
  const tenant = options.tenant ?? (await service.it.tenant())
  const gate = `replay-${(gates += 1)}`
  if (how === "open") service.it.gates.open(gate)
  const { body } = await service.it.call("POST", "/flows/work/run", {
    key: options.key ?? tenant.live,
    body: await runOf({ version, wait: true, variables: { gate }, pages: 3, metadata: { order: 7 } })
  })
  assert.strictEqual(textAt(body, "status"), how === "open" ? "completed" : "failed")
  return { tenant, id: textAt(body, "id"), gate }
}

const replay = (key: string, id: string, body?: unknown) =>
  service.it.call("POST", `/runs/${id}/replay`, { key, ...defined({ body }) })

/** Replays and waits for the end. */
const replayed = async ({ id, tenant }: Ran, body: unknown, status = "completed") => {
  const answer = await replay(tenant.live, id, body)
  assert.strictEqual(answer.status, 200, answer.text)
  const made = textAt(answer.body, "id")
  const execution = await service.it.awaitStatus(tenant.live, made, status)
  return { accepted: answer.body, id: made, execution }
}

const spent = async ({ tenant }: Ran) => {
  const credits = await service.it.credits(tenant.id)
  assert.strictEqual(numberAt(credits, "reserved"), 0)
  return 10_000 - numberAt(credits, "balance")
}

describe("a replay", () => {
  it("after a failure goes on at the step that failed, and pays for what runs again", async () => {
    const first = await ran("1.0.0", "closed")
    assert.strictEqual(await spent(first), 0)
    service.it.gates.open(first.gate)
    const { accepted, execution, id } = await replayed(first, undefined)
    assert.strictEqual(textAt(accepted, "status"), "pending")
    assert.strictEqual(textAt(accepted, "replayOf"), first.id)
    assert.deepStrictEqual(listAt(accepted, "reusedSteps"), ["one", "two"])
    assert.deepStrictEqual(at(execution, "output"), { ones: "1", last: "4" })
    assert.deepStrictEqual(at(execution, "metadata"), { order: 7 })
    assert.deepStrictEqual(listAt(execution, "reusedSteps"), ["one", "two"])
    // Two of four steps of a flow that costs 2 credits for each of 3 pages.
    assert.strictEqual(numberAt(execution, "metrics.creditsUsed"), 3)
    assert.strictEqual(await spent(first), 3)
    const stories = await (await EventClient.open(service.it.address, first.tenant.live, id)).all()
    assert.deepStrictEqual(
      stories.map(({ data, event }) => [event, at(data, "step")].join(" ").trim()),
      [
        "execution.pending",
        "step.reused one",
        "step.reused two",
        "execution.running",
        "step.started three",
        "step.completed three",
        "step.started four",
        "step.completed four",
        "execution.completed"
      ]
    )
  })

  it("that fails again can be replayed again", async () => {
    const first = await ran("1.0.0", "closed")
    const second = await replayed(first, {}, "failed")
    assert.strictEqual(await spent(first), 0)
    service.it.gates.open(first.gate)
    const third = await replayed({ ...first, id: second.id }, {})
    assert.strictEqual(textAt(third.execution, "replayOf"), second.id)
    assert.deepStrictEqual(listAt(third.execution, "reusedSteps"), ["one", "two"])
    assert.strictEqual(await spent(first), 3)
  })

  it.each([
    ["1.0.0", "one", [], 6],
    ["1.0.0", "three", ["one", "two"], 3],
    ["1.0.0", "four", ["one", "two", "three"], 1.5],
    ["1.0.0", undefined, ["one", "two", "three", "four"], 0],
    // Another version: what is defined as before is reused, up to the first step that is not.
    ["1.1.0", undefined, ["one", "two", "three"], 1.5],
    ["1.1.0", "two", ["one"], 4.5],
    ["1.2.0", undefined, ["one"], 4.5],
    ["1.2.0", "four", ["one"], 4.5],
    ["1.3.0", undefined, ["one", "two", "three", "four"], 0],
    // Another default makes other variables, and any step may have seen them.
    ["1.4.0", undefined, [], 6]
  ])("with version %s from step %s reuses %j and costs %d", async (version, fromStep, reused, credits) => {
    const first = await ran("1.0.0", "open")
    const { execution, id } = await replayed(first, { version, ...defined({ fromStep }) })
    assert.deepStrictEqual(listAt(execution, "reusedSteps"), reused)
    const [row] = await service.it.rows(`select progress_step as step from executions where id = '${id}'`)
    if (credits === 0) assert.deepStrictEqual(row, { step: reused.at(-1) })
    assert.strictEqual(textAt(execution, "version"), version)
    assert.strictEqual(numberAt(execution, "metrics.creditsUsed"), credits)
    assert.strictEqual(await spent(first), 6 + credits)
    const { body } = await service.it.call("GET", `/runs/${first.id}/diff/${textAt(execution, "id")}`, {
      key: first.tenant.live
    })
    assert.deepStrictEqual(
      body,
      {
        "1.1.0": { same: false, differences: [{ path: "/last", before: "4", after: "four" }] },
        "1.3.0": {
          same: false,
          differences: [
            { path: "/ones", before: "1" },
            { path: "/last", before: "4" },
            { path: "/only", after: "4" }
          ]
        }
      }[version] ?? { same: true, differences: [] }
    )
  })

  it("without an output is not compared, which the difference says", async () => {
    const first = await ran("1.0.0", "closed")
    service.it.gates.open(first.gate)
    const key = first.tenant.live
    const diff = (one: string) => service.it.call("GET", `/runs/${one}/diff/${first.id}`, { key })
    const { id } = await replayed(first, {})
    const message = `There is nothing to compare, because ${first.id} has no output: it is failed`
    assert.deepStrictEqual((await diff(id)).body, { same: false, differences: [], message })
    assert.isTrue(at((await diff(first.id)).body, "same"))
  })

  it("takes over steps that were skipped, and steps that failed and were let go on", async () => {
    const first = await ran("2.0.0", "closed")
    service.it.gates.open(first.gate)
    const { execution } = await replayed(first, {})
    assert.deepStrictEqual(listAt(execution, "reusedSteps"), ["one", "risky", "skipped"])
    assert.strictEqual(await spent(first), 1.5)
    const artifacts = await service.it.call("GET", `/runs/${textAt(execution, "id")}?include=artifacts`, {
      key: first.tenant.live
    })
    assert.deepStrictEqual(Object.keys(Object(at(artifacts.body, "artifacts"))).toSorted(), [
      "one",
      "risky",
      "skipped",
      "three"
    ])
  })

  it("goes on inside a loop, at the element that failed, and after a failure that was handled", async () => {
    const first = await ran("2.1.0", "closed")
    service.it.gates.open(first.gate)
    const { execution, id } = await replayed(first, {})
    assert.deepStrictEqual(listAt(execution, "reusedSteps"), ["handled"])
    assert.deepStrictEqual(at(execution, "output"), { handled: "i", each: [1, 2, 3] })
    // The loop counts as a whole: one of two steps.
    assert.strictEqual(await spent(first), 3)
    const events = await (await EventClient.open(service.it.address, first.tenant.live, id)).all()
    assert.deepStrictEqual(
      events.filter(({ event }) => event === "step.started").map(({ data }) => at(data, "step")),
      ["each", "each.1.wait", "each.1.last", "each.2.note", "each.2.wait", "each.2.last"]
    )
  })

  it("of a cancelled execution goes on where it was cancelled", async () => {
    const tenant = await service.it.tenant()
    const { body } = await service.it.call("POST", "/flows/work/run", {
      key: tenant.live,
      body: await runOf({ version: "1.0.0", wait: true, variables: { gate: "cancelled" }, pages: 1 })
    })
    const first = { tenant, id: textAt(body, "id"), gate: "cancelled" }
    const again = await replay(tenant.live, first.id, {})
    const second = textAt(again.body, "id")
    assert.strictEqual(
      (await service.it.call("POST", `/runs/${second}/cancel`, { key: tenant.live })).status,
      200
    )
    service.it.gates.open("cancelled")
    // What was taken over is not charged when it is cancelled.
    assert.strictEqual(await spent(first), 0)
    const { execution } = await replayed({ ...first, id: second }, {})
    assert.deepStrictEqual(listAt(execution, "reusedSteps"), ["one", "two"])
    assert.strictEqual(await spent(first), 1)
  })

  it("outlives the execution that it came from", async () => {
    const first = await ran("1.0.0", "open")
    const { id } = await replayed(first, { fromStep: "four" })
    await service.it.admin("DELETE", `/executions/${first.id}`)
    const { execution } = await replayed({ ...first, id }, { fromStep: "three" })
    assert.deepStrictEqual(at(execution, "output"), { ones: "1", last: "4" })
  })

  it("with an idempotency key is made once", async () => {
    const first = await ran("1.0.0", "open")
    const body = { fromStep: "four", idempotencyKey: "again" }
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => replay(first.tenant.live, first.id, body))
    )
    assert.strictEqual(new Set(answers.map((answer) => textAt(answer.body, "id"))).size, 1)
    assert.strictEqual(
      answers.filter(({ headers }) => headers.get("idempotent-replayed") === "true").length,
      9
    )
    const other = replay(first.tenant.live, first.id, { ...body, fromStep: "three" })
    assert.strictEqual(await refused(other), "422 VALIDATION_ERROR idempotencyKey")
    await service.it.awaitStatus(first.tenant.live, textAt(answers[0]?.body, "id"), "completed")
    assert.strictEqual(await spent(first), 7.5)
  })

  it("that was made before is answered, however large its output, in slices of a megabyte", async () => {
    const first = await ran("1.8.0", "open")
    const { id } = await replayed(first, { idempotencyKey: "large" })
    const encoded = vi.spyOn(JSON, "stringify")
    const again = await replay(first.tenant.live, first.id, { idempotencyKey: "large" })
    const longest = Math.max(...encoded.mock.results.map(({ value }) => String(value).length))
    encoded.mockRestore()
    assert.strictEqual(textAt(again.body, "id"), id)
    assert.isAbove(again.text.length, 2_000_000)
    assert.isBelow(longest, 1_100_000)
  })

  it("costs nothing with a test key", async () => {
    const tenant = await service.it.tenant()
    const first = await ran("1.0.0", "open", { key: tenant.test, tenant })
    const { body } = await replay(tenant.test, first.id, { fromStep: "one" })
    await service.it.awaitStatus(tenant.test, textAt(body, "id"), "completed")
    assert.strictEqual(await spent(first), 0)
  })
})

describe("a replay is refused", () => {
  it.each([
    [{ fromStep: "tree" }, "422 VALIDATION_ERROR fromStep"],
    [{ fromStep: 3 }, "422 VALIDATION_ERROR fromStep"],
    [{ fromStep: "\u0000" }, "422 VALIDATION_ERROR fromStep"],
    [{ version: "9.9.9" }, "404 VERSION_NOT_FOUND"],
    [{ version: "\ud800" }, "422 VALIDATION_ERROR version"],
    [{ version: "1.5.0" }, "422 INVALID_DOCUMENT version"],
    [{ version: "1.6.0" }, "422 MISSING_REQUIRED_FIELD input.variables.customer"],
    [{ idempotencyKey: "" }, "422 VALIDATION_ERROR idempotencyKey"],
    [[], "400 INVALID_INPUT"],
    ["three", "400 INVALID_INPUT"]
  ])("with the body %j: %s", async (body, expected) => {
    const { id, tenant } = await ran("1.0.0", "open")
    assert.strictEqual(await refused(replay(tenant.live, id, body)), expected)
  })

  it("while the execution goes on, after its document was erased, and to anyone else", async () => {
    const { gate, id, tenant } = await ran("1.0.0", "closed")
    const other = await service.it.tenant()
    const readOnly = await service.it.key(tenant.id, "live", ["executions:read"])
    assert.strictEqual(await refused(replay(other.live, id)), "404 EXECUTION_NOT_FOUND")
    assert.strictEqual(await refused(replay(tenant.test, id)), "404 EXECUTION_NOT_FOUND")
    assert.strictEqual(await refused(replay(readOnly, id)), "403 FORBIDDEN")
    assert.strictEqual(await refused(replay(tenant.live, "exec_nowhere")), "404 EXECUTION_NOT_FOUND")
    const running = textAt((await replay(tenant.live, id)).body, "id")
    assert.strictEqual(await refused(replay(tenant.live, running)), "422 VALIDATION_ERROR executionId")
    service.it.gates.open(gate)
    await service.it.awaitStatus(tenant.live, running, "completed")
    await service.it.admin("DELETE", `/executions/${id}`)
    assert.strictEqual(await refused(replay(tenant.live, id)), "422 INVALID_DOCUMENT executionId")
  })

  it("without the credits, the plan or a free place for it", async () => {
    const poor = await service.it.tenant({ plan: "free", credits: 7 })
    const first = await ran("1.0.0", "open", { tenant: poor })
    assert.strictEqual(
      await refused(replay(poor.live, first.id, { fromStep: "one" })),
      "402 INSUFFICIENT_CREDITS"
    )
    assert.strictEqual(
      await refused(replay(poor.live, first.id, { version: "1.7.0" })),
      "402 SUBSCRIPTION_REQUIRED"
    )
    const small = await service.it.tenant({
      plan: "enterprise",
      concurrentExecutions: 1,
      requestsPerMinute: 1000
    })
    const second = await ran("1.0.0", "closed", { tenant: small })
    const running = await replay(small.live, second.id)
    assert.strictEqual(await refused(replay(small.live, second.id)), "429 CONCURRENT_LIMIT")
    await service.it.awaitStatus(small.live, textAt(running.body, "id"), "failed")
  })
})
