import { setTimeout as sleep } from "node:timers/promises"
import { beforeAll, describe, expect, test } from "vitest"
import { manyPages } from "../fixtures/Pdfs.ts"
import { base64, runOf } from "../support/Documents.ts"
import { expectError, expectRateHeaders, fieldOf } from "../support/Expect.ts"
import { at, listAt, numberAt, textAt } from "../support/Json.ts"
import { type Answer, useService } from "../support/TestService.ts"
import { until } from "../support/Until.ts"

const service = useService()
const flows = (key: string) => service.it.call("GET", "/flows", { key })
const run = async (key: string, flow: string, rest: Parameters<typeof runOf>[0] = {}) =>
  service.it.call("POST", `/flows/${flow}/run`, { key, body: await runOf(rest) })
const header = (answer: Answer, name: string) => Number(answer.headers.get(`x-ratelimit-${name}`))

/** Answers to `count` requests of an organization that all fell into one window, which it had made none in before. */
const inOneWindow = (requestsPerMinute: number, count: number): Promise<ReadonlyArray<Answer>> =>
  until("requests in one window", async () => {
    const { id } = await service.it.tenant({ plan: "enterprise", requestsPerMinute })
    const key = await service.it.key(id)
    const answers: Array<Answer> = []
    for (let made = 0; made < count; made++) answers.push(await flows(key))
    return new Set(answers.map((answer) => header(answer, "reset"))).size === 1 ? answers : undefined
  })

describe("the rate limit", () => {
  test("counts down, then refuses with 429 RATE_LIMITED and Retry-After", async () => {
    const answers = await inOneWindow(5, 7)
    expect(answers.map((answer) => header(answer, "limit"))).toEqual(answers.map(() => 5))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429])
    expect(answers.map((answer) => header(answer, "remaining"))).toEqual([4, 3, 2, 1, 0, 0, 0])
    for (const answer of answers) expectRateHeaders(answer)
    const [refused] = answers.slice(-1)
    if (refused === undefined) throw new Error("nothing was refused")
    expectError(refused, 429, "RATE_LIMITED")
    const seconds = Number(refused.headers.get("retry-after"))
    expect(seconds).toBeGreaterThanOrEqual(1)
    expect(seconds).toBeLessThanOrEqual(60)
    expect(textAt(refused.body, "error.message")).toMatch(/\d+ second/u)
  })

  test("is per organization and environment, not per key", async () => {
    const { id, test } = await service.it.tenant({ plan: "enterprise", requestsPerMinute: 1000 })
    const other = await service.it.tenant({ plan: "enterprise", requestsPerMinute: 1000 })
    const keys = [await service.it.key(id), await service.it.key(id)]
    const remaining = await until("requests in one window", async () => {
      const answers = await Promise.all([...keys, test, other.live].map(flows))
      const [a, b] = answers
      if (a === undefined || b === undefined) throw new Error("no answers")
      return header(a, "reset") === header(b, "reset")
        ? answers.map((answer) => header(answer, "remaining"))
        : undefined
    })
    expect(Math.abs((remaining[0] ?? 0) - (remaining[1] ?? 0))).toBe(1)
    expect(remaining[2]).toBeLessThan(60)
    expect(remaining[3]).toBeGreaterThanOrEqual(900)
  })

  test.each([
    ["free", "live", 100],
    ["pro", "live", 1000],
    ["free", "test", 60],
    ["pro", "test", 60]
  ] as const)("of a %s organization's %s key is %d", async (plan, environment, limit) => {
    const tenant = await service.it.tenant({ plan })
    const answer = await flows(tenant[environment])
    expect(header(answer, "limit")).toBe(limit)
    expectRateHeaders(answer)
  })

  test("of an enterprise organization is its own", async () => {
    const tenant = await service.it.tenant({ plan: "enterprise", requestsPerMinute: 1234 })
    expect(header(await flows(tenant.live), "limit")).toBe(1234)
    expect(header(await flows(tenant.test), "limit")).toBe(60)
  })

  test("is told as it is when an answer is sent, not when its wait began", async () => {
    const { live } = await service.it.tenant()
    let tries = 0
    const [waited, after] = await until("a wait and a request in one window", async () => {
      const gate = `rate ${tries++}`
      const waiting = run(live, "hold", { wait: true, variables: { gate } })
      await until("the run to wait", async () => service.it.gates.waitingAt(gate) === 1 || undefined)
      await flows(live)
      // Longer than an answer may take whose headers say what was left when it was counted.
      await sleep(1100)
      service.it.gates.open(gate)
      const [waited, after] = [await waiting, await flows(live)]
      expect(waited.status).toBe(200)
      return header(waited, "reset") === header(after, "reset") ? [waited, after] : undefined
    })
    expect(header(after, "remaining")).toBe(header(waited, "remaining") - 1)
  })

  test("counts what it refuses for other reasons, and says so on every answer", async () => {
    const { id } = await service.it.tenant()
    const key = await service.it.key(id, "live", ["flows:read"])
    for (const answer of [
      await flows(key),
      await run(key, "greet"),
      await service.it.call("GET", "/flows/nothing", { key }),
      await service.it.call("GET", "/flows?limit=0", { key }),
      await service.it.call("GET", "/nothing", { key }),
      await service.it.call("DELETE", "/flows", { key }),
      await service.it.call("GET", "/flows"),
      await service.it.call("GET", "/flows", { key: "malformed" })
    ]) {
      expectRateHeaders(answer)
    }
  })
})

describe("the concurrency limit", () => {
  test.each([
    ["free", "live", 5],
    ["free", "test", 2],
    ["pro", "test", 2]
  ] as const)("of a %s organization's %s key is %d", async (plan, environment, limit) => {
    const tenant = await service.it.tenant({ plan })
    const key = tenant[environment]
    const gate = `${plan} ${environment}`
    const answers = await Promise.all(
      Array.from({ length: limit + 3 }, () => run(key, "hold", { variables: { gate } }))
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(limit)
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectError(answer, 429, "CONCURRENT_LIMIT")
      expectRateHeaders(answer)
    }
    // A place is free again when one has ended.
    service.it.gates.open(gate)
    const first = answers.find(({ status }) => status === 200)
    await service.it.awaitStatus(key, textAt(first?.body, "id"), "completed")
    await until("a free place", async () => ((await run(key, "greet")).status === 200 ? true : undefined))
  })

  test("of an enterprise organization is its own, and cancelling frees a place", async () => {
    const { live } = await service.it.tenant({ plan: "enterprise", concurrentExecutions: 1 })
    const first = await run(live, "hold", { variables: { gate: "own" } })
    expectError(await run(live, "greet"), 429, "CONCURRENT_LIMIT")
    await service.it.call("POST", `/runs/${textAt(first.body, "id")}/cancel`, { key: live })
    expect((await run(live, "greet")).status).toBe(200)
  })

  test("does not count a replayed run", async () => {
    const { live } = await service.it.tenant({ plan: "enterprise", concurrentExecutions: 1 })
    const rest = { idempotencyKey: "one place", variables: { gate: "one place" } }
    const first = await run(live, "hold", rest)
    const again = await run(live, "hold", rest)
    expect(again.status).toBe(200)
    expect(textAt(again.body, "id")).toBe(textAt(first.body, "id"))
  })
})

describe("credits", () => {
  test("are reserved when a run is accepted and settled when it ends", async () => {
    const { id, live } = await service.it.tenant({ plan: "pro", credits: 100 })
    const held = await run(live, "half", { variables: { gate: "credits" }, pages: 3 })
    expect(await service.it.credits(id)).toEqual({ balance: 94, reserved: 6 })
    service.it.gates.open("credits")
    expect(await service.it.awaitStatus(live, textAt(held.body, "id"), "completed")).toMatchObject({
      metrics: { creditsUsed: 6, pageCount: 3 }
    })
    expect(await service.it.credits(id)).toEqual({ balance: 94, reserved: 0 })
  })

  test("of a document without printed pages come from the size of its text", async () => {
    const { id, live } = await service.it.tenant({ plan: "pro", credits: 100 })
    const mail = `From: a@b.c\r\nTo: d@e.f\r\nSubject: long\r\nMIME-Version: 1.0\r\nContent-Type: text/plain\r\n\r\n${"word ".repeat(2000)}\r\n`
    const done = await service.it.call("POST", "/flows/opener/run", {
      key: live,
      body: { input: { document: { base64: Buffer.from(mail).toString("base64") } }, wait: true }
    })
    expect(done.body).toMatchObject({ status: "completed", metrics: { pageCount: 1, creditsUsed: 4 } })
    expect(await service.it.credits(id)).toEqual({ balance: 96, reserved: 0 })
  })

  test("of a failed execution are given back", async () => {
    const { id, live } = await service.it.tenant({ plan: "pro", credits: 100 })
    await run(live, "boom", { wait: true, pages: 3 })
    expect(await service.it.credits(id)).toEqual({ balance: 100, reserved: 0 })
  })

  test("that are too few: 402 INSUFFICIENT_CREDITS names the required and the available amount", async () => {
    const { id, live } = await service.it.tenant({ plan: "pro", credits: 19.5 })
    const answer = await run(live, "expensive", { pages: 2 })
    expectError(answer, 402, "INSUFFICIENT_CREDITS")
    const message = textAt(answer.body, "error.message")
    expect(message).toMatch(/\b20\b/u)
    expect(message).toMatch(/\b19\.5\b/u)
    expect(await service.it.credits(id)).toEqual({ balance: 19.5, reserved: 0 })
    await service.it.admin("POST", `/organizations/${id}/credits`, { amount: 0.5, reason: "rounding up" })
    expect((await run(live, "expensive", { wait: true, pages: 2 })).body).toMatchObject({
      metrics: { creditsUsed: 20 }
    })
    expect(await service.it.credits(id)).toEqual({ balance: 0, reserved: 0 })
  })

  test("parallel runs never spend more than there is", async () => {
    const { id, live } = await service.it.tenant({ plan: "pro", credits: 5 })
    const answers = await Promise.all(Array.from({ length: 12 }, () => run(live, "greet", { wait: true })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(7)
    expect(await service.it.credits(id)).toEqual({ balance: 0, reserved: 0 })
  })
})

describe("a flow that requires a plan", () => {
  test.each([
    ["free", 402],
    ["pro", 200],
    ["enterprise", 200]
  ] as const)("for a %s organization: %d", async (plan, status) => {
    const { live } = await service.it.tenant({ plan })
    const answer = await run(live, "pro-only")
    if (status === 200) expect(answer.status).toBe(200)
    else expectError(answer, 402, "SUBSCRIPTION_REQUIRED")
  })
})

describe("test keys", () => {
  let live: string
  let testKey: string
  let organization: string
  beforeAll(async () => {
    const tenant = await service.it.tenant({ plan: "pro", credits: 10 })
    organization = tenant.id
    live = tenant.live
    testKey = tenant.test
  })

  test("really process, and use no credits", async () => {
    const { body } = await run(testKey, "greet", { wait: true, pages: 2 })
    expect(body).toMatchObject({
      status: "completed",
      output: { said: "hello from 1.10.0" },
      metrics: { pageCount: 2, creditsUsed: 0 }
    })
    expect(await service.it.credits(organization)).toEqual({ balance: 10, reserved: 0 })
  })

  test("need no credits", async () => {
    const poor = await service.it.tenant({ plan: "free", credits: 0 })
    expect((await run(poor.test, "greet")).status).toBe(200)
  })

  test("never see live executions, nor live keys theirs", async () => {
    const ofLive = textAt((await run(live, "greet")).body, "id")
    const ofTest = textAt((await run(testKey, "greet")).body, "id")
    expectError(await service.it.call("GET", `/runs/${ofLive}`, { key: testKey }), 404, "EXECUTION_NOT_FOUND")
    expectError(await service.it.call("GET", `/runs/${ofTest}`, { key: live }), 404, "EXECUTION_NOT_FOUND")
  })

  test("take documents of up to 10 pages", async () => {
    await service.it.awaitStatus(
      testKey,
      textAt((await run(testKey, "greet", { pages: 10 })).body, "id"),
      "completed"
    )
    expectError(await run(testKey, "greet", { pages: 11 }), 422, "INVALID_DOCUMENT")
    expectError(await run(live, "greet", { pages: 11 }), 402, "INSUFFICIENT_CREDITS")
  })

  test("take documents of up to 5 MB", async () => {
    const bytes = Buffer.concat([await manyPages(1), Buffer.alloc(5 * 1024 * 1024, 0x20)])
    const body = { wait: true, timeout: 60_000, input: { document: { base64: base64(bytes) } } }
    const answer = await service.it.call("POST", "/flows/greet/run", { key: testKey, body })
    expectError(answer, 422, "VALIDATION_ERROR")
    expect(fieldOf(answer)).toBe("input.document.base64")
    expect((await service.it.call("POST", "/flows/greet/run", { key: live, body })).status).toBe(200)
  })

  test("follow the same rules", async () => {
    expectError(await run(testKey, "picky"), 422, "MISSING_REQUIRED_FIELD")
    expectError(await run(testKey, "nothing"), 404, "FLOW_NOT_FOUND")
  })

  test("may name webhooks at http: and loopback, which live keys may not", async () => {
    const webhook = { webhookUrl: "http://127.0.0.1:9/hook" }
    expect((await run(testKey, "greet", webhook)).status).toBe(200)
    for (const webhookUrl of [
      webhook.webhookUrl,
      "https://127.0.0.1/hook",
      "https://[::1]/",
      "https://10.0.0.1/"
    ]) {
      const answer = await run(live, "greet", { webhookUrl })
      expectError(answer, 422, "VALIDATION_ERROR")
      expect(fieldOf(answer)).toBe("webhookUrl")
    }
  })

  test("have a list of their own in the administration", async () => {
    const { body } = await service.it.admin("GET", `/organizations/${organization}/executions`)
    expect(numberAt(body, "total")).toBe(listAt(body, "executions").length)
    expect(at(body, "executions.0.id")).toEqual(expect.any(String))
  })
})
