import { beforeAll, describe, expect, test } from "vitest"
import { base64, runOf } from "../support/Documents.ts"
import { expectError, isoTime } from "../support/Expect.ts"
import { at, listAt, namesOf, numberAt, textAt } from "../support/Json.ts"
import { type Tenant, useOwnService } from "../support/TestService.ts"
import { until } from "../support/Until.ts"

// One at a time, so that a second execution stays pending as long as the first one waits.
const service = useOwnService({ DOCFLOW_CONCURRENCY: "1" })
let tenant: Tenant
beforeAll(async () => {
  tenant = await service.it.tenant()
})
const get = (id: string, query = "", key = tenant.live) =>
  service.it.call("GET", `/runs/${id}${query}`, { key })
const start = async (flow: string, rest: Parameters<typeof runOf>[0] = {}) =>
  textAt(
    (await service.it.call("POST", `/flows/${flow}/run`, { key: tenant.live, body: await runOf(rest) })).body,
    "id"
  )
const ended = async (flow: string, rest: Parameters<typeof runOf>[0] = {}) => {
  const { body } = await service.it.call("POST", `/flows/${flow}/run`, {
    key: tenant.live,
    body: await runOf({ ...rest, wait: true })
  })
  return textAt(body, "id")
}
const metrics = { durationMs: expect.any(Number), pageCount: 1, creditsUsed: expect.any(Number) }

describe("GET /runs/{executionId}", () => {
  test("of a running and of a pending one", async () => {
    const running = await start("hold", { variables: { gate: "states" }, metadata: { which: "first" } })
    await service.it.awaitStatus(tenant.live, running, "running")
    const pending = await start("greet", { metadata: { which: "second" } })
    expect((await get(pending)).body).toEqual({
      id: pending,
      flowId: "greet",
      version: "1.10.0",
      status: "pending",
      createdAt: isoTime,
      metadata: { which: "second" }
    })
    await until("its progress", async () => {
      const { body } = await get(running)
      return at(body, "progress.step") === "wait" || undefined
    })
    const { body } = await get(running)
    expect(body).toEqual({
      id: running,
      flowId: "hold",
      version: "1.0.0",
      status: "running",
      createdAt: isoTime,
      progress: { step: "wait", percentage: expect.any(Number) },
      metadata: { which: "first" }
    })
    const percentage = numberAt(body, "progress.percentage")
    expect(percentage).toBeGreaterThanOrEqual(0)
    expect(percentage).toBeLessThanOrEqual(100)
    service.it.gates.open("states")
    await service.it.awaitStatus(tenant.live, pending, "completed")
    const done = await get(running)
    expect(namesOf(done.body)).not.toContain("progress")
  })

  test("its percentage counts the steps that are done, and never falls", async () => {
    const id = await start("half", { variables: { gate: "percent" } })
    const seen: Array<number> = []
    await until("the third step", async () => {
      const { body } = await get(id)
      const step = at(body, "progress.step")
      if (typeof step === "string" && step !== "") seen.push(numberAt(body, "progress.percentage"))
      return step === "three" || undefined
    })
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect(seen.at(-1)).toBe(50)
    service.it.gates.open("percent")
    await service.it.awaitStatus(tenant.live, id, "completed")
  })

  test("of a completed one", async () => {
    const id = await ended("greet", { metadata: { a: [1] } })
    expect((await get(id)).body).toEqual({
      id,
      flowId: "greet",
      version: "1.10.0",
      status: "completed",
      createdAt: isoTime,
      completedAt: isoTime,
      output: { said: "hello from 1.10.0" },
      metrics,
      metadata: { a: [1] }
    })
  })

  test.each([
    ["boom", "EXECUTION_FAILED", "it went boom", "explode"],
    ["boom-provider", "PROVIDER_ERROR", "the provider went boom", "explode"],
    ["boom-document", "INVALID_DOCUMENT", "the document went boom", "explode"],
    ["boom-defect", "EXECUTION_FAILED", expect.not.stringContaining("SECRET"), "explode"],
    ["slow-step", "EXECUTION_TIMEOUT", expect.any(String), "stuck"],
    ["strict", "VALIDATION_ERROR", "It is too thin.", "judge"]
  ])("of one that failed in %s: 200, code %s", async (flow, code, message, step) => {
    const id = await ended(flow, { metadata: { a: 1 } })
    const { body, status } = await get(id)
    expect(status).toBe(200)
    expect(body).toEqual({
      id,
      flowId: flow,
      version: "1.0.0",
      status: "failed",
      createdAt: isoTime,
      completedAt: isoTime,
      error: { code, message, step },
      metadata: { a: 1 }
    })
  })

  test("of one that took longer than its flow may: EXECUTION_TIMEOUT", async () => {
    const { body } = await get(await ended("slow-flow"))
    expect(body).toMatchObject({ status: "failed", error: { code: "EXECUTION_TIMEOUT", step: "stuck" } })
  })

  test("of a cancelled one", async () => {
    const id = await start("hold", { variables: { gate: "to cancel" } })
    await service.it.call("POST", `/runs/${id}/cancel`, { key: tenant.live })
    expect((await get(id)).body).toEqual({
      id,
      flowId: "hold",
      version: "1.0.0",
      status: "cancelled",
      createdAt: isoTime,
      cancelledAt: isoTime
    })
  })

  test.each([
    ["an id that nobody has", "exec_nothing"],
    ["U+0000", "%00"],
    ["3,000 characters", "x".repeat(3000)],
    ["a quote", "'%20or%201=1"]
  ])("of %s is EXECUTION_NOT_FOUND", async (_, id) => {
    expectError(await get(id), 404, "EXECUTION_NOT_FOUND")
  })
})

describe("include", () => {
  test("without it there are no artifacts", async () => {
    const id = await ended("greet")
    for (const query of ["", "?include=metrics", "?include="]) {
      expect(namesOf((await get(id, query)).body)).not.toContain("artifacts")
    }
  })

  test.each(["artifacts", "artifacts,metrics", "metrics,artifacts", "metrics,%20artifacts"])(
    "=%s adds the artifacts by step",
    async (include) => {
      const { body } = await get(await ended("greet"), `?include=${include}`)
      expect(body).toMatchObject({
        status: "completed",
        metrics,
        artifacts: {
          say: { startedAt: isoTime, durationMs: expect.any(Number), attempts: 1, status: "completed" }
        }
      })
    }
  )

  test("=artifacts of a flow that validate failed: the result of each rule", async () => {
    const { body } = await get(await ended("strict"), "?include=artifacts")
    const rule = { message: "It is too thin.", severity: "error", fields: [] }
    expect(body).toMatchObject({
      status: "failed",
      error: { code: "VALIDATION_ERROR", step: "judge" },
      artifacts: {
        judge: { status: "failed", valid: false, problems: [rule], results: [{ result: "broken", ...rule }] }
      }
    })
  })

  test("=artifacts of invoice: what parse and extract made", async () => {
    const { exampleInvoice, makeInvoice } = await import("../fixtures/Invoices.ts")
    const invoice = await makeInvoice(exampleInvoice)
    const run = await service.it.call("POST", "/flows/invoice/run", {
      key: tenant.live,
      body: { wait: true, timeout: 60_000, input: { document: { base64: base64(invoice.bytes) } } }
    })
    const { body } = await get(textAt(run.body, "id"), "?include=artifacts")
    const steps = at(body, "artifacts")
    expect(steps).toMatchObject({
      read: {
        status: "completed",
        attempts: 1,
        pageCount: 1,
        wordCount: expect.any(Number),
        documentIR: { pages: expect.any(Array), extras: { pageCount: 1 } }
      },
      fields: { status: "completed", tokensUsed: expect.any(Number) }
    })
    // No model was asked.
    expect(namesOf(at(steps, "fields"))).toContain("model")
    expect(at(steps, "read.documentIR.pages.0")).toMatchObject({
      pageNumber: 1,
      width: expect.any(Number),
      height: expect.any(Number)
    })
    const lines = listAt(steps, "read.documentIR.pages.0.lines")
    const [first] = lines
    const box = { x: expect.any(Number), y: expect.any(Number), w: expect.any(Number), h: expect.any(Number) }
    expect(first).toMatchObject({
      text: expect.any(String),
      bbox: box,
      startChar: 0,
      endChar: expect.any(Number)
    })
    expect(lines.map((line) => textAt(line, "lineId"))).toContain("p1_l1")
    expect(at(steps, "fields.fields.invoiceNumber")).toMatchObject({
      value: invoice.expected.invoiceNumber,
      confidence: expect.any(Number),
      status: "grounded",
      page: 1,
      bbox: box,
      text: expect.any(String),
      by: "rules"
    })
  })

  test("=fields of invoice: how sure each leaf is and where it was read, in the shape of the output", async () => {
    const { exampleInvoice, makeInvoice } = await import("../fixtures/Invoices.ts")
    const invoice = await makeInvoice(exampleInvoice)
    const run = await service.it.call("POST", "/flows/invoice/run", {
      key: tenant.live,
      body: { wait: true, timeout: 60_000, input: { document: { base64: base64(invoice.bytes) } } }
    })
    const { body } = await get(textAt(run.body, "id"), "?include=fields")
    expect(namesOf(body)).not.toContain("artifacts")
    expect(namesOf(at(body, "fields") ?? {})).toEqual(namesOf(at(body, "output") ?? {}))
    const place = {
      confidence: expect.any(Number),
      status: "grounded",
      page: 1,
      bbox: expect.any(Object),
      text: expect.any(String),
      by: "rules"
    }
    expect(at(body, "fields")).toMatchObject({ invoiceNumber: place, totalAmount: place })
    const rows = listAt(body, "output.lineItems")
    const cells = listAt(body, "fields.lineItems")
    expect(cells.length).toBe(rows.length)
    expect(cells[0]).toMatchObject({ description: place, amount: place })
    expect(namesOf(cells[0] ?? {})).toEqual(namesOf(rows[0] ?? {}))
  })

  test("=artifacts of a failed one: the steps that finished", async () => {
    const { body } = await get(await ended("boom"), "?include=artifacts")
    expect(at(body, "artifacts.first")).toMatchObject({ status: "completed", attempts: 1 })
  })

  test("=metrics adds metrics to a failed one, which was charged nothing", async () => {
    const { body } = await get(await ended("boom"), "?include=metrics")
    expect(body).toMatchObject({ status: "failed", metrics: { ...metrics, creditsUsed: 0 } })
  })

  test.each(["everything", "artifacts,x", "Artifacts"])("=%s is INVALID_INPUT", async (include) => {
    expectError(await get(await ended("greet"), `?include=${include}`), 400, "INVALID_INPUT")
  })
})
