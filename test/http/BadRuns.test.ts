import { beforeAll, describe, expect, test } from "vitest"
import { encryptedPdf } from "../fixtures/Encrypted.ts"
import { manyPages, noPages, notAPdf, truncated } from "../fixtures/Pdfs.ts"
import { base64, pdf, runOf } from "../support/Documents.ts"
import { expectError, expectRateHeaders, fieldOf } from "../support/Expect.ts"
import { at, listAt, textAt } from "../support/Json.ts"
import { type Sent, type Tenant, useService } from "../support/TestService.ts"

const service = useService()
let tenant: Tenant
beforeAll(async () => {
  tenant = await service.it.tenant()
})
const post = (sent: Sent, flow = "greet") =>
  service.it.call("POST", `/flows/${flow}/run`, { key: tenant.live, ...sent })
const withDocument = (document: unknown, flow?: string) => post({ body: { input: { document } } }, flow)
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)

describe("a key that is nearly a known one: INVALID_INPUT", () => {
  const document = { base64: base64(notAPdf()) }
  test.each([
    [{ idempotency_key: "k", input: { document } }, "idempotency_key", "idempotencyKey"],
    [{ webhookURL: "https://example.com", input: { document } }, "webhookURL", "webhookUrl"],
    [{ "Webhook-Secret": "s", input: { document } }, "Webhook-Secret", "webhookSecret"],
    [{ timeot: 5, input: { document } }, "timeot", "timeout"],
    [{ inptu: { document } }, "inptu", "input"],
    [{ input: { document, Variables: {} } }, "input.Variables", "variables"],
    [{ input: { document: { ...document, mime_type: "text/csv" } } }, "input.document.mime_type", "mimeType"]
  ])("%j", async (body, field, meant) => {
    const answer = await post({ body })
    expect(expectError(answer, 400, "INVALID_INPUT")).toMatchObject({
      message: `Unknown field ${field}. Did you mean \`${meant}\`?`
    })
    expect(fieldOf(answer)).toBe(field)
  })

  test("other unknown keys are ignored, and so are all in metadata and variables", async () => {
    const free = { wiat: 1, idempotency_key: 2 }
    const sent = await runOf({ metadata: free, variables: free })
    expect((await post({ body: { ...sent, comment: "x", unit: 1 } })).status).toBe(200)
  })
})

describe("what the caller declares: VALIDATION_ERROR", () => {
  const cases: ReadonlyArray<readonly [string, Record<string, unknown>]> = [
    ["timeout", { timeout: 60_000.5 }],
    ["timeout", { timeout: 60_001 }],
    ["timeout", { timeout: 0.5 }],
    ["timeout", { timeout: 1e15 }],
    ["timeout", { timeout: -1 }],
    ["timeout", { timeout: "soon" }],
    ["timeout", { timeout: null }],
    ["wait", { wait: "yes" }],
    ["wait", { wait: 1 }],
    ["version", { version: 1 }],
    ["version", { version: "1".repeat(256) }],
    ["idempotencyKey", { idempotencyKey: 7 }],
    ["metadata", { metadata: [] }],
    ["metadata", { metadata: "text" }],
    ["metadata", { metadata: { big: "x".repeat(16 * 1024) } }],
    ["webhookUrl", { webhookUrl: "not a url" }],
    ["webhookUrl", { webhookUrl: "ftp://example.com/" }],
    ["webhookUrl", { webhookUrl: "http://example.com/" }],
    ["webhookUrl", { webhookUrl: 5 }],
    ["webhookSecret", { webhookSecret: 5 }],
    ["webhookUrl", { webhookEvents: ["corrections.saved"] }],
    ["webhookEvents", { webhookEvents: [] }],
    ["webhookEvents.0", { webhookEvents: ["corrections.lost"] }],
    ["input.variables", { variables: [] }],
    ["input.variables", { variables: "x" }]
  ]
  test.each(cases)("%s of %j", async (field, fields) => {
    const answer = await post({ body: await runOf(fields) })
    expectError(answer, 422, "VALIDATION_ERROR")
    expect(fieldOf(answer)).toBe(field)
    expectRateHeaders(answer)
  })

  test("metadata of just 16 KB is taken", async () => {
    const metadata = { big: "x".repeat(16 * 1024 - JSON.stringify({ big: "" }).length) }
    expect((await post({ body: await runOf({ metadata }) })).status).toBe(200)
  })

  test.each([
    ["metadata", { metadata: { a: "x\u0000y" } }],
    ["metadata in a list", { metadata: { a: ["x", { b: "\u0000" }] } }],
    ["a name of metadata", { metadata: { "a\u0000": 1 } }],
    ["variables", { variables: { a: "\u0000" } }],
    ["a lone surrogate in metadata", { metadata: { a: "\uD800" } }],
    ["a lone surrogate in a list", { metadata: { a: [["\uDFFF"]] } }],
    ["the idempotency key", { idempotencyKey: "a\u0000" }],
    ["the version", { version: "1.0.0\u0000" }],
    ["the webhook's secret", { webhookSecret: "\u0000" }],
    ["the webhook's address", { webhookUrl: "https://example.com/\u0000" }]
  ])("U+0000 or an unpaired surrogate in %s", async (_, fields) => {
    expectError(await post({ body: await runOf(fields) }), 422, "VALIDATION_ERROR")
  })

  test("U+0000 in the document's filename and MIME type", async () => {
    expectError(await withDocument({ base64: await pdf(), filename: "a\u0000.pdf" }), 422, "VALIDATION_ERROR")
    expectError(
      await withDocument({ base64: await pdf(), mimeType: "application/pdf\u0000" }),
      422,
      "VALIDATION_ERROR"
    )
  })

  test.each(["!!!!", "JVBERi0xLjc", "JVBE Ri0x", "JVBE\u00e9i0x", "data:application/pdf,plain", "===="])(
    "base64 of %j",
    async (text) => {
      const answer = await withDocument({ base64: text })
      expectError(answer, 422, "VALIDATION_ERROR")
      expect(fieldOf(answer)).toBe("input.document.base64")
      expect(textAt(answer.body, "error.details.reason")).not.toBe("")
    }
  )

  test.each(["image/png", "text/plain", "nonsense"])(
    "the MIME type %s, with what is supported",
    async (mimeType) => {
      const answer = await withDocument({ base64: await pdf(), mimeType })
      expectError(answer, 422, "VALIDATION_ERROR")
      expect(at(answer.body, "error.details")).toEqual({
        field: "input.document.mimeType",
        reason: expect.any(String),
        supported: ["application/pdf"]
      })
    }
  )

  test("the MIME type of a data URL", async () => {
    const answer = await withDocument({ base64: `data:image/png;base64,${await pdf()}` })
    expectError(answer, 422, "VALIDATION_ERROR")
    expect(listAt(answer.body, "error.details.supported")).toEqual(["application/pdf"])
  })

  test("a file larger than the flow takes", async () => {
    const bytes = Buffer.concat([await manyPages(1), Buffer.alloc(60_000)])
    const answer = await post(
      { body: { input: { document: { base64: base64(bytes) }, variables: { customer: "Ada" } } } },
      "picky"
    )
    expectError(answer, 422, "VALIDATION_ERROR")
    expect(fieldOf(answer)).toBe("input.document.base64")
  })

  test.each([
    [{ customer: "A" }, "input.variables.customer"],
    [{ customer: 5 }, "input.variables.customer"],
    [{ customer: "Ada", copies: 0 }, "input.variables.copies"],
    [{ customer: "Ada", other: 1 }, "input.variables.other"]
  ])("the variables %j", async (variables, field) => {
    const answer = await post({ body: await runOf({ variables }) }, "picky")
    expectError(answer, 422, "VALIDATION_ERROR")
    expect(fieldOf(answer)).toBe(field)
  })

  test.each([{}, { copies: 2 }])(
    "a required variable that %j lacks: MISSING_REQUIRED_FIELD",
    async (variables) => {
      const answer = await post({ body: await runOf({ variables }) }, "picky")
      expectError(answer, 422, "MISSING_REQUIRED_FIELD")
      expect(fieldOf(answer)).toBe("input.variables.customer")
    }
  )
})

describe("what the bytes are: INVALID_DOCUMENT", () => {
  const documents: ReadonlyArray<readonly [string, () => Promise<Uint8Array> | Uint8Array]> = [
    ["not a PDF", notAPdf],
    ["a truncated PDF", async () => truncated(await manyPages(3))],
    ["an encrypted PDF", encryptedPdf],
    ["a PDF without pages", noPages],
    ["a picture", () => png],
    ["three bytes", () => Buffer.from("abc")],
    ["text", () => Buffer.from("Dear Sir or Madam, please find enclosed an invoice.")],
    ["zeros", () => new Uint8Array(1000)]
  ]
  test.each(documents)("%s", async (_, make) => {
    const answer = await withDocument({ base64: base64(await make()) })
    expectError(answer, 422, "INVALID_DOCUMENT")
    expectRateHeaders(answer)
  })

  test("a picture that says it is a PDF", async () => {
    expectError(
      await withDocument({ base64: base64(png), mimeType: "application/pdf" }),
      422,
      "INVALID_DOCUMENT"
    )
  })

  test("more pages than the flow takes", async () => {
    expectError(
      await post({ body: await runOf({ pages: 3, variables: { customer: "Ada" } }) }, "picky"),
      422,
      "INVALID_DOCUMENT"
    )
    expect(
      (await post({ body: await runOf({ pages: 2, variables: { customer: "Ada" } }) }, "picky")).status
    ).toBe(200)
  })
})

describe("flow and version", () => {
  test.each(["nothing", "%00", "GREET"])("%s: FLOW_NOT_FOUND", async (flow) => {
    expectError(await post({ body: await runOf() }, flow), 404, "FLOW_NOT_FOUND")
  })

  test.each(["9.9.9", "latest", ""])("version %j: VERSION_NOT_FOUND", async (version) => {
    expectError(await post({ body: await runOf({ version }) }), 404, "VERSION_NOT_FOUND")
  })
})

test("after all of this the service never failed inside, and nothing was run that was refused", async () => {
  const defects = service.it.logs.filter((line) => line.includes("A request died"))
  expect(defects).toEqual([])
  expect((await service.it.call("GET", "/flows", { key: tenant.live })).status).toBe(200)
})
