import { beforeAll, describe, expect, test } from "vitest"
import { pdf, runOf } from "../support/Documents.ts"
import { expectError, fieldOf } from "../support/Expect.ts"
import { listAt, textAt } from "../support/Json.ts"
import { type Tenant, useService } from "../support/TestService.ts"

const service = useService()
let tenant: Tenant
beforeAll(async () => {
  tenant = await service.it.tenant()
})
const run = (flow: string, body: unknown, key = tenant.live) =>
  service.it.call("POST", `/flows/${flow}/run`, { key, body })
const replayed = (answer: { readonly headers: Headers }) => answer.headers.get("idempotent-replayed")

describe("the same key with the same request", () => {
  test("gives the same execution, in the state that it has reached", async () => {
    const body = await runOf({ idempotencyKey: "same", metadata: { a: 1, b: 2 } })
    const first = await run("greet", body)
    expect(first.status).toBe(200)
    expect(replayed(first)).toBeNull()
    const id = textAt(first.body, "id")
    await service.it.awaitStatus(tenant.live, id, "completed")
    const again = await run("greet", body)
    expect(again.status).toBe(200)
    expect(replayed(again)).toBe("true")
    expect(again.body).toMatchObject({ id, status: "completed", output: { said: "hello from 1.10.0" } })
  })

  test("is the same whatever wait and timeout say, and wait attaches to it", async () => {
    const rest = { idempotencyKey: "attach", variables: { gate: "attach" } }
    const first = await run("hold", await runOf(rest))
    const attached = run("hold", await runOf({ ...rest, wait: true }))
    service.it.gates.open("attach")
    const answer = await attached
    expect(replayed(answer)).toBe("true")
    expect(answer.body).toMatchObject({ id: textAt(first.body, "id"), status: "completed" })
  })

  test("is the same with the members of its objects in another order, or the document as a data URL", async () => {
    const base64 = await pdf()
    const first = await run("greet", {
      idempotencyKey: "order",
      metadata: { a: 1, b: { c: 1, d: 2 } },
      input: { document: { base64 } }
    })
    const again = await run("greet", {
      input: { document: { base64: `data:application/pdf;base64,${base64}` } },
      metadata: { b: { d: 2, c: 1 }, a: 1 },
      idempotencyKey: "order"
    })
    expect(again.body).toMatchObject({ id: textAt(first.body, "id") })
  })

  test("a wait that ends first says 504 for a replay, too, with the same execution", async () => {
    const body = await runOf({
      idempotencyKey: "late",
      variables: { gate: "idempotent-late" },
      wait: true,
      timeout: 50
    })
    const first = await run("hold", body)
    const second = await run("hold", body)
    expectError(first, 504, "EXECUTION_TIMEOUT")
    expectError(second, 504, "EXECUTION_TIMEOUT")
    expect(replayed(second)).toBe("true")
    expect(textAt(second.body, "error.details.executionId")).toBe(
      textAt(first.body, "error.details.executionId")
    )
  })

  test("30 parallel posts make one execution and one charge", async () => {
    const other = await service.it.tenant({ plan: "pro", credits: 100 })
    const body = await runOf({ idempotencyKey: "thirty", wait: true, pages: 2 })
    const answers = await Promise.all(Array.from({ length: 30 }, () => run("greet", body, other.live)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map((answer) => textAt(answer.body, "id"))).size).toBe(1)
    expect(answers.filter((answer) => replayed(answer) === null)).toHaveLength(1)
    expect(await service.it.credits(other.id)).toEqual({ balance: 98, reserved: 0 })
    const ledger = await service.it.admin("GET", `/organizations/${other.id}/ledger`)
    expect(listAt(ledger.body, "entries").filter((entry) => textAt(entry, "kind") === "charge")).toHaveLength(
      1
    )
    const executions = await service.it.admin("GET", `/organizations/${other.id}/executions`)
    expect(executions.body).toMatchObject({ total: 1 })
  })
})

describe("the same key with another request", () => {
  test.each([
    ["metadata", "greet", { metadata: { other: true } }],
    ["version", "greet", { version: "1.0.0" }],
    ["document", "greet", { pages: 2 }],
    ["variables", "greet", { variables: { x: 1 } }],
    ["webhook", "greet", { webhookUrl: "https://example.com/hook" }],
    [
      "webhook event",
      "greet",
      { webhookUrl: "https://example.com/hook", webhookEvents: ["execution.completed"] }
    ],
    ["flow", "boom", {}],
    ["flow that does not exist", "nothing", {}]
  ])("is refused with another %s", async (what, flow, change) => {
    const idempotencyKey = `other ${what}`
    expect((await run("greet", await runOf({ idempotencyKey }))).status).toBe(200)
    const answer = await run(flow, await runOf({ idempotencyKey, ...change }))
    expectError(answer, 422, "VALIDATION_ERROR")
    expect(fieldOf(answer)).toBe("idempotencyKey")
  })
})

describe("a refused request", () => {
  test.each([
    ["a bad document", { input: { document: { base64: "AAAA" } } }, 422],
    ["a missing document", { input: {} }, 400],
    ["an unknown version", { version: "9.9.9" }, 404],
    ["a bad timeout", { timeout: 60_001 }, 422]
  ])("with %s stores nothing: the key is free", async (what, wrong, status) => {
    const idempotencyKey = `free ${what}`
    const good = await runOf({ idempotencyKey })
    expect((await run("greet", { ...good, ...wrong })).status).toBe(status)
    const answer = await run("greet", good)
    expect(answer.status).toBe(200)
    expect(replayed(answer)).toBeNull()
  })

  test("without credits stores nothing either", async () => {
    const poor = await service.it.tenant({ plan: "free", credits: 0 })
    const body = await runOf({ idempotencyKey: "poor" })
    expectError(await run("greet", body, poor.live), 402, "INSUFFICIENT_CREDITS")
    await service.it.admin("POST", `/organizations/${poor.id}/credits`, { amount: 5, reason: "gift" })
    const answer = await run("greet", body, poor.live)
    expect([answer.status, replayed(answer)]).toEqual([200, null])
  })
})

/** Makes the key of the test `is remembered for 24 hours` older. */
const age = (minutes: number) =>
  service.it.rows(
    `update idempotency_keys set created_at = now() - interval '${minutes} minutes' where key = 'a day'`
  )

describe("a key", () => {
  test("belongs to one organization and one environment", async () => {
    const other = await service.it.tenant()
    const body = await runOf({ idempotencyKey: "shared" })
    const answers = [
      await run("greet", body, tenant.live),
      await run("greet", body, tenant.test),
      await run("greet", body, other.live)
    ]
    expect(answers.map(replayed)).toEqual([null, null, null])
    expect(new Set(answers.map((answer) => textAt(answer.body, "id"))).size).toBe(3)
  })

  test("is shared by the keys of an organization", async () => {
    const body = await runOf({ idempotencyKey: "two keys" })
    const first = await run("greet", body)
    const second = await run("greet", body, await service.it.key(tenant.id))
    expect(second.body).toMatchObject({ id: textAt(first.body, "id") })
  })

  test("is remembered for 24 hours", async () => {
    const body = await runOf({ idempotencyKey: "a day" })
    const first = textAt((await run("greet", body)).body, "id")
    await age(24 * 60 - 1)
    expect((await run("greet", body)).body).toMatchObject({ id: first })
    await age(24 * 60 + 1)
    const later = await run("greet", body)
    expect(later.status).toBe(200)
    expect(textAt(later.body, "id")).not.toBe(first)
    const again = await run("greet", body)
    expect(again.body).toMatchObject({ id: textAt(later.body, "id") })
  })

  test.each([
    ["1 character", "k", 200],
    ["255 characters", "k".repeat(255), 200],
    ["no character", "", 422],
    ["256 characters", "k".repeat(256), 422]
  ])("of %s: %s", async (_, idempotencyKey, status) => {
    const answer = await run("greet", await runOf({ idempotencyKey }))
    expect(answer.status).toBe(status)
    if (status === 422) expect(fieldOf(answer)).toBe("idempotencyKey")
  })
})
