import { beforeAll, describe, expect, test } from "vitest"
import { manyPages } from "../fixtures/Pdfs.ts"
import { base64 } from "../support/Documents.ts"
import { expectError, fieldOf } from "../support/Expect.ts"
import { at, textAt } from "../support/Json.ts"
import { type Tenant, useService } from "../support/TestService.ts"

const service = useService()
let tenant: Tenant
let bytes: Uint8Array
beforeAll(async () => {
  tenant = await service.it.tenant()
  bytes = await manyPages(1)
})

const boundary = "--a-boundary"
const typeOf = (of = boundary) => `multipart/form-data; boundary=${of}`

interface Part {
  readonly name: string
  readonly value: string | Uint8Array
  readonly filename?: string
  readonly type?: string
}

const partBytes = ({ filename, name, type, value }: Part) =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"`),
    Buffer.from(filename === undefined ? "" : `; filename="${filename}"`),
    Buffer.from(type === undefined ? "\r\n\r\n" : `\r\nContent-Type: ${type}\r\n\r\n`),
    Buffer.from(value),
    Buffer.from("\r\n")
  ])

const form = (parts: ReadonlyArray<Part>, end = `--${boundary}--\r\n`) =>
  Buffer.concat([...parts.map(partBytes), Buffer.from(end)])

const send = (raw: Uint8Array, type = typeOf(), path = "/flows/greet/run") =>
  service.it.call("POST", path, { key: tenant.live, raw, headers: { "content-type": type } })

const file = (): Part => ({
  name: "document",
  value: bytes,
  filename: "a bill.pdf",
  type: "application/pdf"
})

describe("a run as a form", () => {
  test("is the same run as in JSON", async () => {
    const answer = await send(
      form([
        { name: "wait", value: "true" },
        { name: "timeout", value: "20000.5" },
        { name: "metadata", value: '{"customer":"42"}' },
        { name: "webhookUrl", value: "https://example.com/hook" },
        { name: "webhookEvents", value: '["execution.failed"]' },
        { name: "idempotencyKey", value: "form-1" },
        file()
      ])
    )
    expect([answer.status, textAt(answer.body, "status")]).toEqual([200, "completed"])
    expect(at(answer.body, "metadata")).toEqual({ customer: "42" })
    const json = {
      wait: true,
      timeout: 20000.5,
      idempotencyKey: "form-1",
      metadata: { customer: "42" },
      webhookUrl: "https://example.com/hook",
      webhookEvents: ["execution.failed"],
      input: {
        document: {
          base64: base64(bytes),
          filename: "a bill.pdf",
          mimeType: "application/pdf"
        }
      }
    }
    const again = await service.it.call("POST", "/flows/greet/run", { key: tenant.live, body: json })
    expect(again.headers.get("idempotent-replayed")).toBe("true")
    expect(textAt(again.body, "id")).toBe(textAt(answer.body, "id"))
  })

  test("as fetch sends one", async () => {
    const data = new FormData()
    data.set("document", new File([Buffer.from(bytes)], "b.pdf"))
    data.set("input", JSON.stringify({ variables: {} }))
    const response = await fetch(`${service.it.address}/api/v1/flows/greet/run`, {
      method: "POST",
      headers: { authorization: `Bearer ${tenant.live}` },
      body: data
    })
    expect(response.status).toBe(200)
  })

  test.each<[string, ReadonlyArray<Part>, string]>([
    ["an unknown part", [{ name: "file", value: "x" }], "file"],
    ["no number as timeout", [{ name: "timeout", value: "soon" }], "timeout"],
    ["no boolean as wait", [{ name: "wait", value: "yes" }], "wait"],
    ["the document twice", [{ name: "input", value: '{"document":{"base64":"AA=="}}' }], "input.document"],
    ["too many keys", [{ name: "input", value: manyKeys() }], "input.variables"]
  ])("names the field that is wrong: %s", async (_, parts, field) => {
    const answer = await send(form([...parts, file()]))
    expectError(answer, 422, "VALIDATION_ERROR")
    expect(fieldOf(answer)).toBe(field)
  })

  test.each<[string, Uint8Array, string]>([
    ["without a document", form([{ name: "wait", value: "true" }]), typeOf()],
    ["that breaks off", form([{ name: "wait", value: "true" }], ""), typeOf()],
    ["with headers that do not end", Buffer.from(`--${boundary}\r\nA: b\r\n--${boundary}--\r\n`), typeOf()],
    ["with a part of nothing", Buffer.from(`--${boundary}\r\n--${boundary}--\r\n`), typeOf()],
    ["without a boundary", form([]), "multipart/form-data"],
    ["with a boundary of 10,000 characters", form([]), typeOf("a".repeat(10_000))],
    ["that is empty", new Uint8Array(), typeOf()],
    [
      "with a part twice",
      form([
        { name: "wait", value: "true" },
        { name: "wait", value: "true" }
      ]),
      typeOf()
    ],
    ["with 100,000 parts", form(Array.from({ length: 100_000 }, () => ({ name: "a", value: "" }))), typeOf()],

    ["with nested JSON", form([{ name: "metadata", value: "[".repeat(100_000) }]), typeOf()]
  ])("is refused %s", async (_, raw, type) => {
    expectError(await send(raw, type), 400, "INVALID_INPUT")
  })

  test("is refused with broken JSON in a part, though it would be JSON with what is around it", async () => {
    const broken = { name: "input", value: '{},"metadata":{}' }
    expectError(await send(form([broken, file()])), 400, "INVALID_INPUT")
  })

  test("is taken by nothing but runs", async () => {
    const { body } = await send(form([file()]))
    const path = `/runs/${textAt(body, "id")}/replay`
    expectError(await send(form([]), typeOf(), path), 415, "INVALID_INPUT")
  })
})

function manyKeys(): string {
  const variables = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`k${index}`, 0]))
  return JSON.stringify({ variables })
}
