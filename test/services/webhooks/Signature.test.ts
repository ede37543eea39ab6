import { describe, expect, it, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { createHmac } from "node:crypto"
import { Webhook } from "standardwebhooks"
import type { End } from "../../../src/engine/journal/Outcome.ts"
import { executionColumns, executionsFrom } from "../../../src/engine/journal/ExecutionRow.ts"
import { attemptHeaders, webhookBody } from "../../../src/services/webhooks/Attempt.ts"
import { receiver } from "./Receiver.ts"
import { attempts, awaitDelivery, endedExecution, layer as delivering } from "./Support.ts"

const body = Buffer.from(`{"type":"execution.completed","text":"Zoë – 日本語"}`)
const headersFor = (secret: string | undefined) =>
  attemptHeaders(
    { id: "dlv_1", at: new Date(), body },
    secret === undefined ? undefined : Redacted.make(secret)
  )

const secrets = [
  "a plain secret",
  "abc",
  "Zoë 日本語 🔑",
  "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  "whsec_not base64",
  "whsec_",
  "====",
  "x".repeat(1024)
]

describe("a signed attempt", () => {
  it.each(secrets)(
    "verifies with the package standardwebhooks, keyed with the text of the secret: %s",
    (secret) => {
      const webhook = new Webhook(Buffer.from(secret).toString("base64"))
      expect(webhook.verify(body, headersFor(secret))).toEqual(JSON.parse(body.toString()))
      const raw = new Webhook(Buffer.from(secret), { format: "raw" })
      expect(raw.verify(body, headersFor(secret))).toEqual(JSON.parse(body.toString()))
    }
  )

  it.each(["MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "c2VjcmV0"])(
    "verifies with the package given a base64 secret as it is: %s",
    (secret) => {
      expect(new Webhook(secret).verify(body, headersFor(secret))).toEqual(JSON.parse(body.toString()))
    }
  )

  it.each(secrets)("verifies with a plain HMAC: %s", (secret) => {
    const expected = createHmac("sha256", Buffer.from(secret, "utf8")).update(body).digest("hex")
    expect(headersFor(secret)["X-Service-Signature"]).toBe(`sha256=${expected}`)
  })

  it("verifies with no other secret", () => {
    const other = new Webhook(Buffer.from("another secret").toString("base64"))
    expect(() => other.verify(body, headersFor("a plain secret"))).toThrow("No matching signature found")
  })

  it("without a secret is identified, not signed", () => {
    expect(Object.keys(headersFor(undefined))).toEqual(["webhook-id", "webhook-timestamp"])
  })
})

const execution = {
  id: "exec_1",
  flowId: "text",
  version: "1.0.0",
  status: "completed",
  createdAt: "2026-11-01T00:00:00.000Z",
  metadata: { customer: "42" }
} as const
const at = new Date("2026-11-01T00:01:00Z")

const bodyWith = (text: string) => webhookBody("execution.completed", { ...execution, output: { text } }, at)

describe("the body", () => {
  it("names the event twice, the time of the attempt and the execution", () => {
    const whole = { ...execution, output: { text: "hello" } }
    expect(JSON.parse(webhookBody("execution.completed", whole, at).toString())).toEqual({
      type: "execution.completed",
      event: "execution.completed",
      timestamp: "2026-11-01T00:01:00.000Z",
      data: whole
    })
  })

  it("leaves out an output that makes it larger than 1 MiB, counted in bytes", () => {
    const rest = bodyWith("").length
    const fits = bodyWith("x".repeat(1024 * 1024 - rest))
    expect(fits.length).toBe(1024 * 1024)
    expect(JSON.parse(fits.toString()).data).not.toHaveProperty("outputOmitted")
    for (const text of ["x".repeat(1024 * 1024 - rest + 1), "日".repeat(400_000)]) {
      const { data } = JSON.parse(bodyWith(text).toString())
      expect(data).toEqual({ ...execution, outputOmitted: true })
    }
  })
})

layer(delivering)("a delivery", (it) => {
  it.effect.each<End>([
    { status: "completed", output: { text: "hello", amount: 12.5 } },
    { status: "failed", error: { code: "EXECUTION_FAILED", message: "It failed", step: "parse" } },
    { status: "cancelled" }
  ])("carries exactly what GET /runs/{id} returns: %j", (end) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const server = yield* receiver()
      const id = yield* endedExecution({ url: server.url, end, metadata: `{"b":1,"a":"Zoë"}`, secret: "s" })
      expect((yield* awaitDelivery(id, attempts(1))).event).toBe(`execution.${end.status}`)
      const [expected] = yield* executionsFrom(
        yield* sql`select ${sql.literal(executionColumns)} from executions where id = ${id}`
      )
      const received = JSON.parse(server.received[0]?.body.toString() ?? "")
      expect(received.event).toBe(`execution.${end.status}`)
      expect(JSON.stringify(received.data)).toBe(JSON.stringify(expected))
      expect(server.received[0]?.headers).toMatchObject({
        "content-type": "application/json",
        "user-agent": "docflow-webhooks/1",
        "webhook-id": /^dlv_/u.exec(String(server.received[0]?.headers["webhook-id"]))?.input,
        "x-service-signature": `sha256=${createHmac("sha256", "s")
          .update(server.received[0]?.body ?? "")
          .digest("hex")}`
      })
    })
  )

  it.effect("is never sent unsigned when its secret cannot be read, and no secret is in the database", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const server = yield* receiver((response) => response.writeHead(500).end("the answer's own words"))
      const id = yield* endedExecution({ url: server.url, secret: "my-webhook-secret" })
      yield* awaitDelivery(id, attempts(1))
      for (const table of ["executions", "deliveries"]) {
        const rows = yield* sql`select t::text as text from ${sql.literal(table)} t`
        expect(JSON.stringify(rows)).not.toContain("my-webhook-secret")
        expect(JSON.stringify(rows)).not.toContain("own words")
      }
      yield* sql`update executions set webhook_secret = 'c29tZXRoaW5nIGVsc2UgYWx0b2dldGhlcg==' where id = ${id}`
      yield* sql`update deliveries set next_attempt_at = created_at where execution_id = ${id}`
      yield* sql`select 1`
      const again = yield* endedExecution({ url: server.url })
      yield* awaitDelivery(again, attempts(1))
      const unread = yield* awaitDelivery(id, attempts(2))
      expect(unread).toMatchObject({
        status: "pending",
        attempts: [{ status: 500 }, { error: "the webhook secret cannot be read" }]
      })
      expect(server.received.length).toBe(2)
    })
  )
})
