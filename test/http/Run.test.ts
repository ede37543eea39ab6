import { beforeAll, describe, expect, test } from "vitest"
import { runOf } from "../support/Documents.ts"
import { expectError, isoTime } from "../support/Expect.ts"
import { listAt, namesOf, textAt } from "../support/Json.ts"
import { type Tenant, useService } from "../support/TestService.ts"
import { until } from "../support/Until.ts"

const service = useService()
let tenant: Tenant
beforeAll(async () => {
  tenant = await service.it.tenant()
})
const run = (flow: string, body: unknown) =>
  service.it.call("POST", `/flows/${flow}/run`, { key: tenant.live, body })
const get = (id: string) => service.it.call("GET", `/runs/${id}`, { key: tenant.live })

describe("an asynchronous run", () => {
  test.each([{}, { wait: false }])("with %j answers 200 with the pending execution", async (options) => {
    const { body, status } = await run("greet", await runOf(options))
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/./u),
      flowId: "greet",
      version: "1.10.0",
      status: "pending",
      createdAt: isoTime
    })
  })

  test("echoes the metadata, then and when it is read", async () => {
    const metadata = { customer: "42", nested: { list: [1, null, "ü", true] }, empty: {} }
    const { body } = await run("greet", await runOf({ metadata }))
    expect(body).toMatchObject({ status: "pending", metadata })
    expect(await service.it.awaitStatus(tenant.live, textAt(body, "id"), "completed")).toMatchObject({
      metadata
    })
  })

  test("is pending in its answer even when many are made", async () => {
    const body = await runOf()
    const answers = await Promise.all(Array.from({ length: 20 }, () => run("greet", body)))
    expect(answers.map((answer) => textAt(answer.body, "status"))).toEqual(answers.map(() => "pending"))
    expect(new Set(answers.map((answer) => textAt(answer.body, "id"))).size).toBe(20)
  })

  test("is done without anybody asking", async () => {
    const { body } = await run("greet", await runOf())
    expect(await service.it.awaitStatus(tenant.live, textAt(body, "id"), "completed")).toMatchObject({
      output: { said: "hello from 1.10.0" }
    })
  })
})

describe("a synchronous run", () => {
  test("answers with the completed execution and every specified field", async () => {
    const { body, status } = await run("greet", await runOf({ wait: true, metadata: { a: 1 }, pages: 3 }))
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.any(String),
      flowId: "greet",
      version: "1.10.0",
      status: "completed",
      createdAt: isoTime,
      completedAt: isoTime,
      output: { said: "hello from 1.10.0" },
      metrics: { durationMs: expect.any(Number), pageCount: 3, creditsUsed: 3 },
      metadata: { a: 1 }
    })
    expect((await get(textAt(body, "id"))).body).toEqual(body)
  })

  test.each([1, 1.5, 59_999.5, 60_000])("takes a timeout of %d ms", async (timeout) => {
    const { status } = await run("greet", await runOf({ wait: true, timeout }))
    expect([200, 504]).toContain(status)
  })

  test("answers 200 with a failed execution and its error", async () => {
    const { body, status } = await run("boom", await runOf({ wait: true, metadata: { a: 1 } }))
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.any(String),
      flowId: "boom",
      version: "1.0.0",
      status: "failed",
      createdAt: isoTime,
      completedAt: isoTime,
      error: { code: "EXECUTION_FAILED", message: "it went boom", step: "explode" },
      metadata: { a: 1 }
    })
    expect((await get(textAt(body, "id"))).body).toEqual(body)
  })

  test("answers 504 when the wait ends first, names the execution, and the execution goes on", async () => {
    const answer = await run("hold", await runOf({ wait: true, timeout: 100, variables: { gate: "late" } }))
    expectError(answer, 504, "EXECUTION_TIMEOUT")
    const id = textAt(answer.body, "error.details.executionId")
    expect((await get(id)).body).toMatchObject({ id, status: expect.stringMatching(/pending|running/u) })
    service.it.gates.open("late")
    expect(await service.it.awaitStatus(tenant.live, id, "completed")).toMatchObject({
      output: { passed: "late" }
    })
  })

  test("answers when the execution is cancelled meanwhile", async () => {
    const waiting = run("hold", await runOf({ wait: true, variables: { gate: "cancelled-meanwhile" } }))
    await until(
      "it to wait",
      async () => service.it.gates.waitingAt("cancelled-meanwhile") === 1 || undefined
    )
    const { body } = await service.it.admin(
      "GET",
      `/organizations/${tenant.id}/executions?flowId=hold&limit=1`
    )
    const id = textAt(body, "executions.0.id")
    expect((await service.it.call("POST", `/runs/${id}/cancel`, { key: tenant.live })).status).toBe(200)
    const answer = await waiting
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ id, status: "cancelled" })
    expect((await get(id)).body).toEqual(answer.body)
  })

  test("takes over what another runner recorded that was faster to start it", async () => {
    await service.it.rows(`create function start_elsewhere() returns trigger language plpgsql as $$ begin
      update executions set status = 'running', started_at = '2020-01-01Z', runner_starts = 1 where id = new.id;
      insert into step_results (execution_id, path, kind, status, started_at, duration_ms, attempts, output)
      values (new.id, 'wait', 'hold', 'completed', '2020-01-01Z', 1, 1, '{ "gate": "elsewhere" }');
      return new;
    end $$`)
    await service.it.rows(`create trigger elsewhere after insert on executions for each row
      when (new.variables ->> 'gate' = 'never-opened') execute function start_elsewhere()`)
    const { body } = await run("hold", await runOf({ wait: true, variables: { gate: "never-opened" } }))
    expect(body).toMatchObject({ status: "completed", output: { passed: "elsewhere" } })
    expect(service.it.gates.waitingAt("never-opened")).toBe(0)
    await service.it.rows("drop function start_elsewhere cascade")
  })

  test("goes on when the client disconnects", async () => {
    const gone = new AbortController()
    const body = JSON.stringify(await runOf({ wait: true, variables: { gate: "lonely" } }))
    const waiting = fetch(`${service.it.address}/api/v1/flows/hold/run`, {
      method: "POST",
      body,
      headers: { authorization: `Bearer ${tenant.live}`, "content-type": "application/json" },
      signal: gone.signal
    }).catch(() => undefined)
    await until("it to wait", async () => service.it.gates.waitingAt("lonely") === 1 || undefined)
    gone.abort()
    await waiting
    service.it.gates.open("lonely")
    await until("it to complete", async () => {
      const found = await service.it.admin(
        "GET",
        `/organizations/${tenant.id}/executions?flowId=hold&status=completed`
      )
      return listAt(found.body, "executions").length >= 2 || undefined
    })
    expect(service.it.gates.interrupted).not.toContain("lonely")
  })
})

describe("the options of a run", () => {
  test.each([
    ["1.0.0", "hello from 1.0.0"],
    ["2.0.0-beta.1", "hello from 2.0.0-beta.1"]
  ])("version %s selects the version", async (version, said) => {
    const { body } = await run("greet", await runOf({ wait: true, version }))
    expect(body).toMatchObject({ version, status: "completed", output: { said } })
  })

  test("variables reach the flow, with its defaults filled in", async () => {
    const { body } = await run("picky", await runOf({ wait: true, variables: { customer: "Ada" } }))
    expect(body).toMatchObject({ status: "completed", output: { customer: "Ada", copies: 1 } })
  })

  test("a data URL prefix, a filename and a MIME type are taken", async () => {
    const { body: plain } = { body: await runOf() }
    const document = {
      base64: `data:application/pdf;base64,${textAt(plain, "input.document.base64")}`,
      filename: "Rechnung Nº 1.pdf",
      mimeType: "application/pdf"
    }
    const { body, status } = await run("greet", { wait: true, timeout: 60_000, input: { document } })
    expect([status, textAt(body, "status")]).toEqual([200, "completed"])
  })

  test("fields that nobody knows are ignored", async () => {
    const { status } = await run("greet", { ...(await runOf()), somethingNew: true })
    expect(status).toBe(200)
  })

  test("the flow invoice reads an invoice", async () => {
    const { exampleInvoice, makeInvoice } = await import("../fixtures/Invoices.ts")
    const invoice = await makeInvoice(exampleInvoice)
    const { body } = await run("invoice", {
      wait: true,
      input: { document: { base64: Buffer.from(invoice.bytes).toString("base64") } }
    })
    expect(body).toMatchObject({
      status: "completed",
      output: {
        invoiceNumber: invoice.expected.invoiceNumber,
        invoiceDate: invoice.expected.invoiceDate,
        totalAmount: invoice.expected.totalAmount,
        currency: invoice.expected.currency
      }
    })
    const { body: flow } = await service.it.call("GET", "/flows/invoice", { key: tenant.live })
    expect(namesOf(Object(body).output).toSorted()).toEqual(
      namesOf(Object(flow).schema.output.properties).toSorted()
    )
  })
})
