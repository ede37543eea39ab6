import { expect, test } from "vitest"
import { notAPdf } from "../fixtures/Pdfs.ts"
import { base64, runOf } from "../support/Documents.ts"
import { expectError, fieldOf } from "../support/Expect.ts"
import { useService } from "../support/TestService.ts"
import { until } from "../support/Until.ts"

// authenticate → rate limit → scope → body size → JSON → contract → idempotency → flow and version → the flow's own
// input schema → document → credits → concurrency: each test breaks two neighbours, and the first one is reported.
const service = useService()
const notPdf = { document: { base64: base64(notAPdf()) } }
const run = (key: string, body: unknown, flow = "greet") =>
  service.it.call("POST", `/flows/${flow}/run`, { key, body })

test("authentication before everything", async () => {
  const answer = await service.it.call("POST", "/flows/nothing/run", { key: "wrong", raw: "not json" })
  expectError(answer, 401, "INVALID_API_KEY")
})

test("the rate limit before the scope", async () => {
  const { id } = await service.it.tenant({ plan: "enterprise", requestsPerMinute: 1 })
  const key = await service.it.key(id, "live", ["flows:read"])
  // A new minute may begin between two requests: then the next two are in one.
  const statuses = await until("a refusal", async () => {
    const answers = [await run(key, {}), await run(key, {})]
    return answers.some(({ status }) => status === 429) ? answers.map(({ status }) => status) : undefined
  })
  expect(statuses).toContain(429)
})

test("the scope before the body's size and form", async () => {
  const { id } = await service.it.tenant()
  const key = await service.it.key(id, "live", ["flows:read"])
  expectError(await service.it.call("POST", "/flows/greet/run", { key, raw: "not json" }), 403, "FORBIDDEN")
  const answer = await service.it.sendBytes(
    `POST /api/v1/flows/greet/run HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n` +
      "Content-Type: application/json\r\nContent-Length: 1073741824\r\n\r\n"
  )
  expect(answer).toMatch(/^HTTP\/1\.1 403 /u)
})

test("JSON before the contract, the contract before idempotency", async () => {
  const { live } = await service.it.tenant()
  expect((await run(live, await runOf({ idempotencyKey: "k" }))).status).toBe(200)
  expectError(await run(live, { idempotencyKey: "k", input: {} }), 400, "INVALID_INPUT")
})

test("idempotency before the flow", async () => {
  const { live } = await service.it.tenant()
  expect((await run(live, await runOf({ idempotencyKey: "k" }))).status).toBe(200)
  const answer = await run(live, await runOf({ idempotencyKey: "k" }), "nothing")
  expectError(answer, 422, "VALIDATION_ERROR")
  expect(fieldOf(answer)).toBe("idempotencyKey")
})

test("the flow and its version before its input schema and the document", async () => {
  const { live } = await service.it.tenant()
  expectError(await run(live, { input: notPdf }, "nothing"), 404, "FLOW_NOT_FOUND")
  expectError(await run(live, { version: "9.9.9", input: notPdf }, "picky"), 404, "VERSION_NOT_FOUND")
})

test("the flow's input schema before the document", async () => {
  const { live } = await service.it.tenant()
  expectError(await run(live, { input: notPdf }, "picky"), 422, "MISSING_REQUIRED_FIELD")
})

test("the document before credits", async () => {
  const { live } = await service.it.tenant({ plan: "pro", credits: 0 })
  expectError(await run(live, { input: notPdf }), 422, "INVALID_DOCUMENT")
})

test("credits before concurrency", async () => {
  const { live } = await service.it.tenant({ plan: "enterprise", credits: 1, concurrentExecutions: 1 })
  const hold = await runOf({ variables: { gate: "order" } })
  expect((await run(live, hold, "hold")).status).toBe(200)
  expectError(await run(live, hold, "hold"), 402, "INSUFFICIENT_CREDITS")
})
