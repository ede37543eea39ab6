import { beforeAll, describe, expect, it } from "vitest"
import {
  ApiFailure,
  ConnectionFailure,
  DocflowClient,
  documentOf,
  responseOf
} from "../../src/client/index.ts"
import { manyPages } from "../fixtures/Pdfs.ts"
import { runHere, runProcessWith } from "../support/CommandLine.ts"
import { adminToken, useService } from "../support/TestService.ts"
import { until } from "../support/Until.ts"
import { usersSuite } from "./UsersSuite.ts"
import { webhookSuite } from "./WebhookSuite.ts"

const service = useService()
let client = new DocflowClient({ apiKey: "set before the tests" })
let document = documentOf(new Uint8Array())

beforeAll(async () => {
  const tenant = await service.it.tenant()
  const baseUrl = `${service.it.address}/api/v1/`
  client = new DocflowClient({ apiKey: tenant.live, baseUrl })
  document = documentOf(await manyPages(1), { filename: "one.pdf" })
})

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "no failure",
    (error: unknown) => error
  )

describe("the client", () => {
  it("lists and reads flows", async () => {
    const { flows, limit } = await client.listFlows({ limit: 2 })
    expect([flows.length, limit]).toEqual([2, 2])
    expect((await client.getFlow("greet")).versions).toContain("1.2.0")
    expect((await client.getFlow("greet", { version: "1.2.0" })).version).toBe("1.2.0")
  })

  it("runs to the end in one request", async () => {
    const ended = await client.runToEnd("greet", { input: { document }, metadata: { customer: "42" } })
    expect(ended).toMatchObject({ status: "completed", output: { said: "hello from 1.10.0" } })
    expect(ended.metadata).toEqual({ customer: "42" })
    const read = await client.get(ended.id, { include: ["artifacts"] })
    expect(Object.keys(read.artifacts ?? {})).toEqual(["say"])
  })

  it("polls when the wait was too short", async () => {
    const ending = client.runToEnd("hold", {
      input: { document, variables: { gate: "client" } },
      timeout: 1
    })
    await until("the run to wait", async () => (service.it.gates.waitingAt("client") > 0 ? true : undefined))
    service.it.gates.open("client")
    expect((await ending).status).toBe("completed")
  })

  it("cancels, once", async () => {
    const { id, status } = await client.run("hold", { input: { document, variables: { gate: "never" } } })
    expect(status).toBe("pending")
    expect((await client.cancel(id)).status).toBe("cancelled")
    expect(await failure(client.cancel(id))).toMatchObject({ code: "ALREADY_CANCELLED", status: 409 })
    expect((await client.waitFor(id)).status).toBe("cancelled")
  })

  it("follows an execution, over a broken connection, without losing or repeating an event", async () => {
    let streams = 0
    const broken: typeof fetch = async (...request) => {
      const answer = await fetch(...request)
      streams += 1
      if (streams > 1 || answer.body === null) return answer
      // The first stream breaks off in the middle of its second event.
      let left = 260
      const cut = answer.body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform: (chunk, controller) => {
            controller.enqueue(chunk.subarray(0, left))
            left -= chunk.length
            if (left <= 0) controller.error(new TypeError("the connection was reset"))
          }
        })
      )
      return new Response(cut, answer)
    }
    const { live } = await service.it.tenant()
    const unlucky = new DocflowClient({
      apiKey: live,
      baseUrl: `${service.it.address}/api/v1`,
      fetch: broken
    })
    // The path may be left out.
    const whole = new DocflowClient({ apiKey: live, baseUrl: service.it.address })
    const { id } = await whole.runToEnd("greet", { input: { document } })
    const ids = async (client: DocflowClient) => {
      const seen: Array<string> = []
      for await (const event of client.events(id))
        seen.push("id" in event ? `${event.id} ${event.event}` : event.event)
      return seen
    }
    const expected = await ids(whole)
    expect(await ids(unlucky)).toEqual(expected)
    expect(streams).toBe(2)
    expect(expected.at(-1)).toMatch(/ execution\.completed$/u)
    expect(await failure(whole.events("exec_none")[Symbol.asyncIterator]().next())).toMatchObject({
      code: "EXECUTION_NOT_FOUND"
    })
  })

  it("replays an execution and compares the outputs", async () => {
    const first = await client.runToEnd("greet", { input: { document } })
    const { id } = await client.replay(first.id, { version: "1.2.0" })
    expect((await client.waitFor(id)).output).toEqual({ said: "hello from 1.2.0" })
    expect(await client.diff(first.id, id)).toEqual({
      same: false,
      differences: [{ path: "/said", before: "hello from 1.10.0", after: "hello from 1.2.0" }]
    })
  })

  it("returns a failed execution and rejects what is refused", async () => {
    expect(await client.runToEnd("boom", { input: { document } })).toMatchObject({
      status: "failed",
      error: { code: "EXECUTION_FAILED", step: "explode" }
    })
    const refused = await failure(client.getFlow("no such flow"))
    expect(refused).toBeInstanceOf(ApiFailure)
    expect(refused).toMatchObject({ code: "FLOW_NOT_FOUND", status: 404 })
    const unwelcome = client.run("greet", { input: { document }, webhookUrl: "https://169.254.169.254/" })
    expect(await failure(unwelcome)).toMatchObject({
      code: "VALIDATION_ERROR",
      status: 422,
      details: { field: "webhookUrl" }
    })
  })

  it("says when the service cannot be reached", async () => {
    const nobody = new DocflowClient({ apiKey: "x", baseUrl: "http://127.0.0.1:1/api/v1", retries: 1 })
    expect(await failure(nobody.listFlows())).toBeInstanceOf(ConnectionFailure)
  })

  it("tries again when the connection breaks, and does the work once", async () => {
    let calls = 0
    const flaky: typeof fetch = async (...request) => {
      const answer = await fetch(...request)
      calls += 1
      if (calls === 1) throw new TypeError("the answer was lost")
      return answer
    }
    const { live } = await service.it.tenant()
    const unlucky = new DocflowClient({ apiKey: live, baseUrl: `${service.it.address}/api/v1`, fetch: flaky })
    const { id } = await unlucky.run("greet", { input: { document } })
    expect(calls).toBe(2)
    expect((await unlucky.waitFor(id)).status).toBe("completed")
    const rows = await service.it.rows(
      `select id from executions where organization_id = (select organization_id from executions where id = '${id}')`
    )
    expect(rows.length).toBe(1)
  })
})

const never: typeof fetch = (_, init) =>
  new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(new Error("aborted"))))

describe("what the client tells of an answer", () => {
  it("is the request id, the rate state and the headers; of a refusal, too", async () => {
    const { live } = await service.it.tenant({ plan: "free" })
    const one = new DocflowClient({ apiKey: live, baseUrl: `${service.it.address}/api/v1` })
    const page = await one.listFlows()
    expect(responseOf(page)).toMatchObject({
      status: 200,
      requestId: expect.stringMatching(/^req_/u),
      rate: { limit: 100, remaining: 99, resetAt: expect.any(Date) }
    })
    const refused = await failure(one.get("exec_none"))
    expect(refused).toMatchObject({ status: 404, requestId: expect.stringMatching(/^req_/u) })
    expect(String(refused)).toContain("(request req_")
  })

  it("is that the same idempotency key made the execution before", async () => {
    const request = { input: { document }, idempotencyKey: "once" }
    const first = await client.run("greet", request)
    const again = await client.run("greet", request)
    expect([again.id, responseOf(again)?.isReplayed]).toEqual([first.id, true])
  })

  it("is the reason of the signal that ended the call, or that no answer came in time", async () => {
    const silent = new DocflowClient({ apiKey: "k", fetch: never, retries: 0, timeoutMs: 20 })
    expect(await failure(silent.listFlows())).toMatchObject({ message: "No answer within 0.02 seconds" })
    const reason = new Error("the user left")
    const left = silent.listFlows({}, { signal: AbortSignal.abort(reason), timeoutMs: 60_000 })
    expect(await failure(left)).toBe(reason)
  })

  it("is every flow, page by page", async () => {
    const { total } = await client.listFlows({ limit: 1 })
    const ids: Array<string> = []
    for await (const { id } of client.flows()) ids.push(id)
    expect(new Set(ids).size).toBe(total)
  })
})

const docflow = async (key: string, line: string) => {
  const settings = { DOCFLOW_URL: service.it.address, DOCFLOW_KEY: key, DOCFLOW_ADMIN_TOKEN: adminToken }
  return runHere(settings, ...line.split(" "))
}

describe("docflow runs, keys and organizations", () => {
  it("make an organization with a key, and list, watch, show, replay and cancel what it ran", async () => {
    const made = await docflow("", "organizations create terminal --plan pro --credits 50")
    expect(made.out).toMatch(/terminal +pro +50 +0/u)
    const key = (await docflow("", "keys create mine --organization terminal")).out.trim()
    expect((await docflow("", "keys list --organization termnal")).error).toContain(
      'Did you mean "terminal"?'
    )
    const listed = (await docflow("", "keys list --organization terminal")).out
    expect(listed).toContain(`…${key.slice(-4)}`)
    const own = new DocflowClient({ apiKey: key, baseUrl: `${service.it.address}/api/v1` })
    const { id } = await own.runToEnd("greet", { input: { document } })
    expect((await docflow(key, "runs list --status completed --metadata n=1")).out).not.toContain(id)
    expect((await docflow(key, "runs list --flow greet --since 2026-01-01")).out).toMatch(
      new RegExp(`${id} +greet`, "u")
    )
    for await (const execution of own.executions({ flowId: "greet" })) expect(execution.id).toBe(id)
    expect((await docflow(key, `runs watch ${id}`)).out).toContain("said  hello from 1.10.0")
    expect(JSON.parse((await docflow(key, `runs show ${id} --json`)).out)).toMatchObject({
      id,
      status: "completed"
    })
    expect((await docflow(key, `runs replay ${id} --flow-version 1.2.0`)).out).toContain("hello from 1.2.0")
    expect((await docflow(key, `runs cancel ${id}`)).error).toMatch(/\(request req_/u)
    const keyId = /^(\S+) +mine/mu.exec(listed)?.[1] ?? ""
    expect((await docflow("", `keys revoke ${keyId}`)).out).toContain("(mine)")
    // Also one that a hundred others follow.
    await service.it.rows(
      "insert into organizations (id, name, plan) select 'later_' || n, 'later ' || n, 'free' from generate_series(1, 100) n"
    )
    expect((await docflow("", `organizations credits terminal 25`)).out).toMatch(/terminal +pro +7\d/u)
    const budget = "organizations models terminal --tokens-per-month 5000"
    expect((await docflow("", budget)).out).toMatch(/Tokens: 0 of 5000 this month\. Own keys: none/u)
    const settings = { DOCFLOW_URL: service.it.address, DOCFLOW_ADMIN_TOKEN: adminToken }
    const keyed = await runProcessWith(
      "sk-own\n",
      settings,
      ..."organizations models terminal --key openai".split(" ")
    )
    expect(keyed.out).toMatch(/of 5000 this month\. Own keys: openai/u)
    const removed = await docflow(
      "",
      "organizations models terminal --tokens-per-month none --remove-key openai"
    )
    expect(removed.out).toMatch(/of any number this month\. Own keys: none/u)
    expect((await docflow("", "organizations models terminal --tokens-per-month x")).error).toMatch(
      /or none/u
    )
  })
})

webhookSuite(service)
usersSuite(service)
