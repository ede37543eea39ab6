import { request as httpRequest } from "node:http"
import { beforeAll, describe, expect, test } from "vitest"
import { manyPages } from "../fixtures/Pdfs.ts"
import { base64, pdf, runOf } from "../support/Documents.ts"
import { expectError, expectRateHeaders, fieldOf } from "../support/Expect.ts"
import { at, textAt } from "../support/Json.ts"
import { type Sent, type Tenant, useService } from "../support/TestService.ts"

const service = useService()
let tenant: Tenant
beforeAll(async () => {
  tenant = await service.it.tenant()
})
const post = (sent: Sent, flow = "greet") =>
  service.it.call("POST", `/flows/${flow}/run`, { key: tenant.live, ...sent })
const withDocument = (document: unknown, flow?: string) => post({ body: { input: { document } } }, flow)

describe("a body that is no JSON, or not the API's: INVALID_INPUT", () => {
  test.each([
    ["nothing", ""],
    ["a word", "hello"],
    ["a cut-off object", '{"input":'],
    ["two values", "{} {}"],
    ["single quotes", "{'input':{}}"],
    ["a BOM and no more", "\uFEFF"],
    ["100,000 times [", "[".repeat(100_000)],
    ['100,000 times {"a":', '{"a":'.repeat(100_000)],
    ["1,000 levels in its metadata", `{"metadata":${"[".repeat(1000)}${"]".repeat(1000)}}`],
    ["a list", "[]"],
    ["null", "null"],
    ["a number", "1"],
    ["a text", '"input"']
  ])("%s", async (_, raw) => {
    const answer = await post({ raw })
    expectError(answer, 400, "INVALID_INPUT")
    expectRateHeaders(answer)
  })

  test("bytes that are not UTF-8", async () => {
    expectError(
      await post({ raw: new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]) }),
      400,
      "INVALID_INPUT"
    )
  })

  test.each([
    [{}, "input"],
    [{ input: null }, "input"],
    [{ input: "text" }, "input"],
    [{ input: [] }, "input"],
    [{ input: {} }, "input.document"],
    [{ input: { document: null } }, "input.document"],
    [{ input: { document: "JVBERi0=" } }, "input.document"],
    [{ input: { document: {} } }, "input.document.base64"],
    [{ input: { document: { base64: "" } } }, "input.document.base64"],
    [{ input: { document: { base64: null } } }, "input.document.base64"],
    [{ input: { document: { base64: 5 } } }, "input.document.base64"]
  ])("%j lacks %s", async (body, field) => {
    const answer = await post({ body })
    expectError(answer, 400, "INVALID_INPUT")
    expect(fieldOf(answer)).toBe(field)
  })

  test("the message for missing base64 is the specification's", async () => {
    expect(textAt((await withDocument({})).body, "error.message")).toBe("Document base64 data is required")
  })
})

/** The head of a run's request, with a header of its own for the length. */
const head = (length: string, key: string) =>
  `POST /api/v1/flows/greet/run HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
  `Content-Type: application/json\r\n${length}\r\n\r\n`

describe("a body that is too large: 413 INVALID_INPUT", () => {
  test("1 GB declared is refused before it is sent", async () => {
    const answer = await service.it.sendBytes(head("Content-Length: 1073741824", tenant.live))
    expect(answer).toMatch(/^HTTP\/1\.1 413 /u)
    expect(answer).toMatch(/"code":"INVALID_INPUT"/u)
    expect(answer).toMatch(/x-ratelimit-limit/iu)
  })

  test("without a declared length it is refused when it has become too large", async () => {
    const status = await new Promise((resolve, reject) => {
      const { hostname, port } = new URL(service.it.address)
      const sending = httpRequest(
        {
          hostname,
          port,
          path: "/api/v1/flows/greet/run",
          method: "POST",
          headers: { authorization: `Bearer ${tenant.live}`, "content-type": "application/json" }
        },
        (answer) => {
          resolve(answer.statusCode)
          answer.resume()
          sending.destroy()
        }
      )
      sending.on("error", reject)
      const chunk = Buffer.alloc(1024 * 1024, 0x20)
      let sent = 0
      const more = () => {
        sent += 1
        if (sent <= 40 && !sending.destroyed) sending.write(chunk, more)
      }
      more()
    })
    expect(status).toBe(413)
  })

  test.each(["gzip", "br"])("Content-Encoding %s is refused, and says so: 415", async (encoding) => {
    const answer = await post({ headers: { "content-encoding": encoding }, body: await runOf() })
    expect(expectError(answer, 415, "INVALID_INPUT")).toMatchObject({
      message: `Content-Encoding ${encoding} is not supported. Send the body uncompressed`
    })
    const plain = await post({ headers: { "content-encoding": "identity" }, body: await runOf() })
    expect(plain.status).toBe(200)
  })

  test("a file of the largest size fits", async () => {
    const bytes = Buffer.concat([await manyPages(1), Buffer.alloc(19 * 1024 * 1024, 0x20)])
    const { status } = await withDocument({ base64: base64(bytes) })
    expect(status).toBe(200)
  })

  test.each(["-1", "abc", "1e3"])("a Content-Length of %s is no request at all: 400", async (length) => {
    const answer = await service.it.sendBytes(head(`Content-Length: ${length}`, tenant.live))
    expect(answer).toMatch(/^HTTP\/1\.1 400 /u)
  })
})

describe("wrong method, path, content type", () => {
  test.each(["text/plain", "application/x-www-form-urlencoded", "application/xml"])(
    "%s: 415",
    async (type) => {
      const answer = await post({ raw: JSON.stringify(await runOf()), headers: { "content-type": type } })
      expectError(answer, 415, "INVALID_INPUT")
      expectRateHeaders(answer)
    }
  )

  test.each(["application/json; charset=utf-8", "Application/JSON"])("%s is JSON", async (type) => {
    const answer = await post({ raw: JSON.stringify(await runOf()), headers: { "content-type": type } })
    expect(answer.status).toBe(200)
  })

  test.each(["/nothing", "/flows/greet/run/more", "/runs/x/nothing", "/run", ""])("%s: 404", async (path) => {
    const answer = await service.it.call("GET", path, { key: tenant.live })
    expect(answer.status).toBe(404)
    expect(at(answer.body, "error.code")).toEqual(expect.any(String))
    expectRateHeaders(answer)
  })

  test.each(["/robots.txt", "/api", "/api/v2/flows", "/api/admin/v1/nothing"])(
    "%s outside the API: 404 in the same envelope",
    async (path) => {
      const answer = await service.it.request("GET", path)
      expect(answer.status).toBe(404)
      expect(at(answer.body, "error.message")).toEqual(expect.any(String))
    }
  )

  test.each([
    ["POST", "/flows", "GET"],
    ["DELETE", "/flows/greet", "GET"],
    ["GET", "/flows/greet/run", "POST"],
    ["PUT", "/runs/exec_1", "GET"],
    ["GET", "/runs/exec_1/cancel", "POST"],
    ["PATCH", "/runs/exec_1/cancel", "POST"]
  ])("%s %s: 405, and Allow says %s", async (method, path, allow) => {
    const answer = await service.it.call(method, path, { key: tenant.live })
    expect(answer.status).toBe(405)
    expect(answer.headers.get("allow")).toContain(allow)
    expect(at(answer.body, "error.code")).toEqual(expect.any(String))
    expectRateHeaders(answer)
  })

  test.each([
    ["/runs/%E0%A4%A/diff/x", 404, "Execution not found: %E0%A4%A"],
    ["/runs/x/diff/%E0%A4%A", 404, "Execution not found: %E0%A4%A"],
    ["/runs/x/pages/%E0%A4%A", 400, "Invalid page: %E0%A4%A cannot be decoded"]
  ])("%s: %i, and names what cannot be decoded", async (path, status, message) => {
    const answer = await service.it.call("GET", path, { key: tenant.live })
    expect({ status: answer.status, message: at(answer.body, "error.message") }).toEqual({ status, message })
  })

  test.each(["/health/live", "/health/ready", "/metrics", "/openapi.json", "/docs"])(
    "POST %s: 405, and Allow says GET",
    async (path) => {
      const answer = await service.it.request("POST", path)
      expect(textAt(expectError(answer, 405, "INVALID_INPUT"), "message")).toContain("use GET")
      expect(answer.headers.get("allow")).toBe("GET")
    }
  )

  test.each([
    ["/flows/greet;x=1", 404, "Flow not found: greet;x=1"],
    ["/runs/exec_1/diff/exec_2;x", 404, "Execution not found: exec_2;x"],
    ["/runs/exec_1/pages/1;2", 400, "Invalid page: write ; as %3B and # as %23"],
    ["/runs/exec_1;/cancel", 405, "GET is not allowed here: use POST"],
    ["/flows;", 404, "There is nothing at /api/v1/flows;"]
  ])("%s is taken with what follows the semicolon", async (path, status, message) => {
    const answer = await service.it.call("GET", path, { key: tenant.live })
    expect({ status: answer.status, message: at(answer.body, "error.message") }).toEqual({ status, message })
  })

  test("unknown paths need a key like every other", async () => {
    expectError(await service.it.call("GET", "/nothing"), 401, "UNAUTHORIZED")
  })
})

test("names that JavaScript treats specially are data like any other", async () => {
  const raw = `{"metadata":{"__proto__":{"a":1},"constructor":2,"toString":3},"input":{"document":{"base64":"${await pdf()}"}}}`
  const answer = await post({ raw })
  expect(answer.status).toBe(200)
  expect(Object.entries(Object(at(answer.body, "metadata")))).toEqual([
    ["__proto__", { a: 1 }],
    ["constructor", 2],
    ["toString", 3]
  ])
})

test("after all of this the service never failed inside, and nothing was run that was refused", async () => {
  const defects = service.it.logs.filter((line) => line.includes("A request died"))
  expect(defects).toEqual([])
  expect((await service.it.call("GET", "/flows", { key: tenant.live })).status).toBe(200)
})
