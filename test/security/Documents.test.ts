import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { pdf } from "../support/Documents.ts"
import { placeEmptyStore } from "../support/EmptyStore.ts"
import { expectError, fieldOf } from "../support/Expect.ts"
import { at, textAt } from "../support/Json.ts"
import { type Tenant, TestService } from "../support/TestService.ts"

let folder: string
let service: TestService
let tenant: Tenant
let good: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "docflow-names-"))
  await placeEmptyStore(join(folder, "database"))
  service = await TestService.start({ DOCFLOW_DATA_DIR: folder })
  tenant = await service.tenant()
  good = await pdf()
})
afterAll(async () => {
  await service.checkBooks()
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

const send = (document: Record<string, unknown>) =>
  service.call("POST", "/flows/greet/run", {
    key: tenant.live,
    body: { wait: true, timeout: 60_000, input: { document } }
  })

describe("base64 that is not quite base64: VALIDATION_ERROR for input.document.base64", () => {
  const tricks: ReadonlyArray<readonly [string, () => string]> = [
    ["a line break in it", () => `${good.slice(0, 76)}\n${good.slice(76)}`],
    ["lines of 76, as e-mail has them", () => good.replaceAll(/.{76}/gu, "$&\r\n")],
    ["a space before", () => ` ${good}`],
    ["a line break behind", () => `${good}\n`],
    ["a tab in it", () => `${good.slice(0, 8)}\t${good.slice(8)}`],
    ["the URL-safe alphabet", () => `${good.slice(0, 40)}-_-_${good.slice(44)}`],
    ["a percent escape", () => `${good.slice(0, 40)}%2B${good.slice(43)}`],
    ["a BOM before", () => `\uFEFF${good}`],
    ["full-width letters", () => `ＪＶＢＥ${good.slice(4)}`],
    ["a NUL escape as text", () => `\\u0000${good}`],
    ["missing padding", () => Buffer.from("%PDF-").toString("base64").replaceAll("=", "")],
    ["too much padding", () => "AAAA===="],
    ["padding in the middle", () => `AA==${good}`],
    ["one letter", () => "A"],
    ["two documents", () => `${good},${good}`],
    ["a data URL in a data URL", () => `data:application/pdf;base64,data:application/pdf;base64,${good}`],
    ["a data URL that is not base64", () => "data:application/pdf,%25PDF-1.4"],
    ["a data URL of hexadecimal", () => "data:application/pdf;hex,255044462d"],
    ["base64 that is not the last parameter", () => `data:application/pdf;base64;a=b,${good}`],
    ["a data URL without a comma", () => "data:application/pdf;base64"],
    ["a space after the comma", () => `data:application/pdf;base64, ${good}`],
    ["an address instead", () => "https://example.com/invoice.pdf"],
    ["a file's address instead", () => "file:///etc/passwd"]
  ]
  test.each(tricks)("%s", async (_, make) => {
    const answer = await send({ base64: make() })
    expectError(answer, 422, "VALIDATION_ERROR")
    expect(fieldOf(answer)).toBe("input.document.base64")
  })
})

describe("a data URL", () => {
  test("of the right type is taken, in any case and with parameters", async () => {
    for (const prefix of [
      "data:application/pdf;base64,",
      "DATA:APPLICATION/PDF;BASE64,",
      "data:application/pdf;charset=utf-8;base64,",
      "data:;base64,"
    ]) {
      expect((await send({ base64: prefix + good })).status).toBe(200)
    }
  })

  test("that lies about its type is held to what it says", async () => {
    expectError(await send({ base64: `data:image/png;base64,${good}` }), 422, "VALIDATION_ERROR")
    const text = Buffer.from("Dear Sir or Madam").toString("base64")
    expectError(await send({ base64: `data:application/pdf;base64,${text}` }), 422, "INVALID_DOCUMENT")
  })

  test("whose type is hostile is refused without harm", async () => {
    for (const type of ["../../etc", "application/pdf\r\nX-Evil: 1", "x".repeat(5000), "__proto__", "<b>"]) {
      const answer = await send({ base64: `data:${type};base64,${good}` })
      expect([200, 422]).toContain(answer.status)
      expect(answer.headers.get("x-evil")).toBe(null)
    }
  })
})

describe("a file name", () => {
  const names = [
    "../../../../tmp/docflow-escaped.pdf",
    "..\\..\\docflow-escaped.pdf",
    "/tmp/docflow-escaped.pdf",
    "C:\\docflow-escaped.pdf",
    "a\r\nX-Evil: docflow-escaped\r\n\r\n.pdf",
    'a"; filename="docflow-escaped.pdf',
    "docflow-escaped\u202Efdp.exe",
    "$(touch docflow-escaped).pdf",
    "-docflow-escaped.pdf",
    "docflow-escaped\u2028.pdf",
    `docflow-escaped${"x".repeat(1_000)}.pdf`,
    "CON",
    ".",
    ""
  ]

  test.each(names)("%j is only a text", async (filename) => {
    const answer = await send({ base64: good, filename })
    expect([200, 422]).toContain(answer.status)
    for (const path of answer.status === 200 ? ["", "?include=artifacts", "/events"] : []) {
      const read = await service.call("GET", `/runs/${textAt(answer.body, "id")}${path}`, {
        key: tenant.live
      })
      expect(read.headers.get("x-evil")).toBe(null)
      expect([...read.headers].flat().join("\n")).not.toContain("docflow-escaped")
    }
  })

  test("of megabytes is refused, and so is a type: they would be stored with every execution", async () => {
    for (const declared of [
      { filename: "x".repeat(5_000_000) },
      { mimeType: `application/${"x".repeat(5_000_000)}` }
    ]) {
      const answer = await send({ base64: good, ...declared })
      expectError(answer, 422, "VALIDATION_ERROR")
      expect(JSON.stringify(answer.body).length).toBeLessThan(1_000)
    }
  })

  test("with U+0000 is refused", async () => {
    expectError(await send({ base64: good, filename: "a.pdf\u0000.exe" }), 422, "VALIDATION_ERROR")
  })

  test("never names anything in the file system", async () => {
    const files = [
      ...(await readdir(folder, { recursive: true })),
      ...(await readdir(tmpdir())),
      ...(await readdir("."))
    ]
    expect(files.filter((file) => /docflow-escaped|X-Evil/u.test(file))).toEqual([])
  })

  test("is never in a log line of its own", async () => {
    const lines = service.logs.filter((line) => at(JSON.parse(line), "message") === undefined)
    expect(lines).toEqual([])
    expect(service.logs.join("\n")).not.toContain("docflow-escaped")
  })
})
