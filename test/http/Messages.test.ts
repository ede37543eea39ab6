import { beforeAll, describe, expect, test } from "vitest"
import { runOf } from "../support/Documents.ts"
import { at, textAt } from "../support/Json.ts"
import { type Tenant, useService } from "../support/TestService.ts"

const service = useService()
let tenant: Tenant
beforeAll(async () => {
  tenant = await service.it.tenant()
})

const run = (body: unknown) => service.it.call("POST", "/flows/greet/run", { key: tenant.live, body })

describe("a query or path says what it must be", () => {
  test.each([
    ["/flows?limit=1&limit=2", "The query parameter limit is repeated. Send it once"],
    ["/runs?status=failed&status=failed", "The query parameter status is repeated. Send it once"],
    ["/flows?limit=many", "Invalid limit: must be a number"],
    ["/flows?limit=0", "Invalid limit: must be at least 1"],
    ["/flows?limit=99999999999999999999", "Invalid limit: must be an integer between 1 and 9007199254740991"],
    ["/flows?limit=1.5", "Invalid limit: must be an integer between 1 and 9007199254740991"],
    ["/flows?offset=0.5", "Invalid offset: must be an integer between 0 and 1000000000"],
    ["/runs/x/pages/1.5", "Invalid page: must be an integer between 1 and 1000000"],
    ["/runs/x/pages/1/picture?side=99.5", "Invalid side: must be an integer between 64 and 3200"],
    ["/runs?status=gone", /^Invalid status: must be one of "pending", "running", /u],
    ["/runs/x/pages?attachment=x", /^Invalid attachment: must be listed in attachments/u]
  ])("%s", async (path, message) => {
    const answer = await service.it.call("GET", path, { key: tenant.live })
    expect({ status: answer.status, message: textAt(answer.body, "error.message") }).toEqual({
      status: 400,
      message: typeof message === "string" ? message : expect.stringMatching(message)
    })
  })

  test("no regular expression is shown", async () => {
    const { body } = await service.it.admin("GET", "/organizations/a%20b")
    expect(textAt(body, "error.message")).toBe("Invalid id: must be 1 to 100 letters, digits and . _ -")
    const headers = { "last-event-id": "first" }
    const events = await service.it.call("GET", "/runs/x/events", { key: tenant.live, headers })
    expect(textAt(events.body, "error.message")).toBe(
      "Invalid last-event-id: must be the id of an event, a number"
    )
  })
})

describe("a run says what it must be", () => {
  test.each([
    [{ input: "text" }, "Invalid input: must be an object"],
    [{ input: { document: "JVBERi0=" } }, "Invalid input.document: must be an object"],
    [
      { input: { document: { base64: 5 } } },
      "Invalid input.document.base64: must be a string, the document in base64"
    ],
    [{ input: null }, "Input is required"],
    [{ input: { document: null } }, "Document is required"]
  ])("%j", async (body, message) => {
    const answer = await run(body)
    expect([answer.status, textAt(answer.body, "error.message")]).toEqual([400, message])
  })

  test("an empty file of a form", async () => {
    const form = new FormData()
    form.set("document", new Blob([]), "a.pdf")
    const answer = await fetch(`${service.it.address}/api/v1/flows/greet/run`, {
      method: "POST",
      body: form,
      headers: { authorization: `Bearer ${tenant.live}` }
    })
    const reason = "the file is empty; send a file with content"
    expect([answer.status, at(await answer.json(), "error")]).toEqual([
      400,
      {
        code: "INVALID_INPUT",
        message: `Invalid input.document: ${reason}`,
        details: { field: "input.document", reason }
      }
    ])
  })

  test("characters of an idempotency key are counted as people count them", async () => {
    expect((await run(await runOf({ idempotencyKey: "🧾".repeat(255) }))).status).toBe(200)
    const { body, status } = await run(await runOf({ idempotencyKey: "🧾".repeat(256) }))
    expect([status, textAt(body, "error.message")]).toEqual([
      422,
      "Invalid idempotencyKey: must be a string with between 1 and 255 characters"
    ])
  })
})

test("an event list of a run contains one, and a correction names an integer", async () => {
  const events = await run(await runOf({ webhookEvents: [] }))
  expect([events.status, textAt(events.body, "error.message")]).toEqual([
    422,
    "Invalid webhookEvents: must contain at least one event"
  ])
  const corrections = { key: tenant.live, body: { ifMatch: 0.5 } }
  const answer = await service.it.call("PUT", "/runs/x/corrections", corrections)
  expect([answer.status, at(answer.body, "error.details")]).toEqual([
    422,
    { field: "ifMatch", reason: "must be an integer" }
  ])
})

describe("the administration API says what it must be", () => {
  const integer = "must be an integer between 1 and 1000000000"
  test.each([
    ["", { name: "a", plan: "enterprise", requestsPerMinute: 0.5 }, "requestsPerMinute", integer],
    ["", { name: "a", plan: "enterprise", concurrentExecutions: 1e300 }, "concurrentExecutions", integer],
    [
      "/:id/keys",
      { name: "a", environment: "live", scopes: [] },
      "scopes",
      "must contain at least one scope"
    ],
    ["/:id/examples/import", { examples: ["a"] }, "examples.0", "must be an object"]
  ])("POST /organizations%s %j", async (path, body, field, reason) => {
    const answer = await service.it.admin("POST", `/organizations${path.replace(":id", tenant.id)}`, body)
    expect([answer.status, at(answer.body, "error")]).toEqual([
      400,
      { code: "INVALID_INPUT", message: `Invalid ${field}: ${reason}`, details: { field, reason } }
    ])
  })
})

test("several Authorization headers are named", async () => {
  const header = `Authorization: Bearer ${tenant.live}\r\n`
  const head = `GET /api/v1/flows HTTP/1.1\r\nHost: a\r\n${header}${header}Connection: close\r\n\r\n`
  expect(await service.it.sendBytes(head)).toContain("The request has several Authorization headers")
})
