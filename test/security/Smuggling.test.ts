import { beforeAll, describe, expect, test } from "vitest"
import { type Tenant, useService } from "../support/TestService.ts"
import { exchange } from "./Wire.ts"

const service = useService()
let tenant: Tenant
beforeAll(async () => {
  tenant = await service.it.tenant()
})

const crlf = (...lines: ReadonlyArray<string>): string => lines.join("\r\n")
const authorized = () => `Authorization: Bearer ${tenant.live}`
/** What an attacker hides behind a request: were it taken for one, there would be a second answer. */
const hidden = () => crlf("GET /api/v1/flows HTTP/1.1", "Host: x", authorized(), "", "")
const post = (...headers: ReadonlyArray<string>) =>
  crlf("POST /api/v1/runs/exec_1/cancel HTTP/1.1", "Host: x", authorized(), ...headers, "", "")

describe("a request whose end is ambiguous: 400, and the connection is closed", () => {
  test.each([
    ["a length and chunks", ["Content-Length: 4", "Transfer-Encoding: chunked"], "0\r\n\r\n"],
    ["chunks and a length", ["Transfer-Encoding: chunked", "Content-Length: 4"], "0\r\n\r\n"],
    ["two lengths", ["Content-Length: 0", "Content-Length: 5"], ""],
    ["two lengths in one", ["Content-Length: 0, 5"], ""],
    ["a length with a sign", ["Content-Length: +5"], "hello"],
    ["a length in hexadecimal", ["Content-Length: 0x5"], "hello"],
    ["an unknown transfer encoding", ["Transfer-Encoding: xchunked"], "0\r\n\r\n"],
    ["chunks that are not last", ["Transfer-Encoding: chunked, identity"], "0\r\n\r\n"],
    ["chunks twice", ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"], "0\r\n\r\n"],
    ["a space before the colon", ["Content-Length : 4"], "abcd"],
    ["a folded header", ["X-Folded: a", " Transfer-Encoding: chunked"], "0\r\n\r\n"],
    ["a header without a colon", ["nonsense"], ""],
    ["a control character in a name", ["X-\u0001: a"], ""],
    ["NUL in a value", ["X-A: a\u0000b"], ""],
    ["a bare CR in a value", ["X-A: a\rContent-Length: 5"], ""],
    ["a chunk of a negative size", ["Transfer-Encoding: chunked"], "-1\r\n\r\n"],
    ["a chunk of an absurd size", ["Transfer-Encoding: chunked"], "FFFFFFFFFFFFFFFFFF\r\n"]
  ])("%s", async (_, headers, body) => {
    const answers = await exchange(service.it.address, post(...headers) + body + hidden())
    // What came before the ambiguity may have been answered: nothing that comes after it is.
    expect(answers.at(-1)?.status).toBe(400)
    expect(answers.filter(({ status }) => status === 200)).toEqual([])
    expect(answers.at(-1)?.text).toMatch(/^connection: close\r$/imu)
    expect(answers.at(-1)?.text).toMatch(/\{"error":\{"code":"INVALID_INPUT"/u)
  })
})

test("two whole requests on one connection are two answers", async () => {
  const answers = await exchange(service.it.address, hidden() + hidden())
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
})

describe("other versions of HTTP", () => {
  test("1.0 is answered, and the connection closed", async () => {
    const answers = await exchange(
      service.it.address,
      crlf("GET /api/v1/flows HTTP/1.0", authorized(), "", "")
    )
    expect(answers.map(({ status }) => status)).toEqual([200])
    expect(answers[0]?.text).toMatch(/^connection: close\r$/imu)
  })

  test.each(["HTTP/1.2", "HTTP/3.0", "HTTP/1", "FTP/1.1"])("%s is no request: 400", async (version) => {
    const answers = await exchange(
      service.it.address,
      crlf(`GET /api/v1/flows ${version}`, "Host: x", authorized(), "", "")
    )
    expect(answers.map(({ status }) => status)).toEqual([400])
  })

  test.each([
    ["/api/v1/flows", []],
    ["/nothing/here", []],
    ["/health/live", []],
    ["/api/v1/flows", ["Host: x", "Host: y"]]
  ])("1.1 at %s with the Host headers %j: 400 in the envelope", async (path, hosts) => {
    const answers = await exchange(
      service.it.address,
      crlf(`GET ${path} HTTP/1.1`, ...hosts, authorized(), "", "") + hidden()
    )
    expect(answers.map(({ status }) => status)).toEqual([400])
    expect(answers[0]?.text).toMatch(/^connection: close\r$/imu)
    expect(answers[0]?.text).toMatch(/\{"error":\{"code":"INVALID_INPUT"/u)
  })

  test("what is no HTTP at all: 400", async () => {
    for (const bytes of [
      "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001",
      "hello\r\n\r\n",
      "\u0000\u0000\r\n\r\n"
    ]) {
      const answers = await exchange(service.it.address, bytes)
      expect(answers.map(({ status }) => status)).toEqual([400])
    }
  })
})

describe("methods that nobody needs", () => {
  test.each(["TRACE", "PROPFIND", "LOCK", "PURGE", "OPTIONS"])(
    "%s: 405, and nothing is echoed",
    async (method) => {
      const [answer] = await exchange(
        service.it.address,
        crlf(`${method} /api/v1/flows HTTP/1.1`, "Host: x", authorized(), "X-Secret: echo-me", "", "")
      )
      expect(answer?.status).toBe(405)
      expect(answer?.text).not.toContain("echo-me")
      expect(answer?.text).not.toContain(tenant.live)
    }
  )

  test("CONNECT opens nothing", async () => {
    const answers = await exchange(
      service.it.address,
      crlf("CONNECT 127.0.0.1:22 HTTP/1.1", "Host: 127.0.0.1:22", authorized(), "", "") + hidden()
    )
    expect(answers.filter(({ status }) => status < 400)).toEqual([])
  })

  test("an upgrade is not made", async () => {
    const [answer] = await exchange(
      service.it.address,
      crlf(
        "GET /api/v1/flows HTTP/1.1",
        "Host: x",
        authorized(),
        "Connection: Upgrade",
        "Upgrade: websocket",
        "",
        ""
      )
    )
    expect(answer?.status).toBe(200)
  })
})

describe("heads of absurd size", () => {
  test("3,000 headers do not hide the key's absence", async () => {
    const many = Array.from({ length: 3000 }, () => "a:")
    const [answer] = await exchange(
      service.it.address,
      crlf("GET /api/v1/flows HTTP/1.1", "Host: x", ...many, "", "")
    )
    expect([401, 431]).toContain(answer?.status)
  })

  test.each([
    ["20,000 headers", () => Array.from({ length: 20_000 }, (_, index) => `h${index}: a`)],
    ["one of 100 KB", () => [`x: ${"a".repeat(100_000)}`]],
    ["a name of 100 KB", () => [`${"a".repeat(100_000)}: x`]]
  ])("%s: 431", async (_, headers) => {
    const answers = await exchange(
      service.it.address,
      crlf("GET /api/v1/flows HTTP/1.1", "Host: x", authorized(), ...headers(), "", "")
    )
    // The server does not read on after it has refused: its answer may be lost on the way.
    expect(answers.map(({ status }) => status).filter((status) => status !== 431)).toEqual([])
  })

  test("a path of 100 KB is refused as well", async () => {
    const answers = await exchange(
      service.it.address,
      crlf(`GET /api/v1/runs/${"a".repeat(100_000)} HTTP/1.1`, "Host: x", "", "")
    )
    expect(answers.map(({ status }) => status).filter((status) => status !== 431)).toEqual([])
  })
})

test("a path in absolute form is no way around the key", async () => {
  const answers = await exchange(
    service.it.address,
    crlf("GET http://elsewhere/api/v1/flows HTTP/1.1", "Host: x", "", "")
  )
  expect(answers.map(({ status }) => status).filter((status) => status < 400)).toEqual([])
})
