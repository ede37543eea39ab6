import { Effect, ConfigProvider, Layer } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import { gunzipSync } from "node:zlib"
import { beforeAll, describe, expect, test } from "vitest"
import { allowOrigins } from "../../src/http/FinishAnswer.ts"
import * as OutboundHttp from "../../src/providers/outbound/OutboundHttp.ts"
import { fetchDocument } from "../../src/services/executions/FetchDocument.ts"
import { runOf } from "../support/Documents.ts"
import { expectError } from "../support/Expect.ts"
import { textAt } from "../support/Json.ts"
import { listening } from "../support/Loopback.ts"
import { type Tenant, useService } from "../support/TestService.ts"

const noSettings = ConfigProvider.layer(ConfigProvider.fromEnv({ env: {} }))
const outbound = OutboundHttp.layer.pipe(Layer.provide(noSettings))

const service = useService()
let tenant: Tenant
beforeAll(async () => {
  tenant = await service.it.tenant()
})
const get = (path: string, headers: Record<string, string> = {}) =>
  service.it.call("GET", path, { key: tenant.live, headers })

describe("ETag", () => {
  test.each(["/flows", "/flows/", "/flows/greet"])(
    "of %s: the same content is not sent again",
    async (path) => {
      const { headers, status } = await get(path)
      const etag = headers.get("etag") ?? "none"
      expect([status, etag.slice(0, 3)]).toEqual([200, 'W/"'])
      const again = await get(path, { "if-none-match": `"other", ${etag}` })
      expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag])
      expect(again.headers.get("x-ratelimit-remaining")).not.toBeNull()
      for (const name of ["vary", "cache-control"]) expect(again.headers.get(name)).toBe(headers.get(name))
      const head = await service.it.call("HEAD", path, { key: tenant.live })
      expect([head.status, head.text, head.headers.get("etag")]).toEqual([200, "", etag])
      expect((await get(path, { "if-none-match": '"other"' })).status).toBe(200)
    }
  )

  test("of an execution changes with it, and no other key learns of it", async () => {
    const made = await service.it.call("POST", "/flows/greet/run", { key: tenant.live, body: await runOf() })
    const path = `/runs/${textAt(made.body, "id")}`
    await service.it.awaitStatus(tenant.live, textAt(made.body, "id"), "completed")
    const { headers } = await get(path)
    const etag = headers.get("etag") ?? "none"
    expect((await get(path, { "if-none-match": etag })).status).toBe(304)
    expect((await get(`${path}?include=metrics`)).headers.get("etag")).not.toBe("none")
    const stranger = { key: tenant.test, headers: { "if-none-match": etag } }
    expect((await service.it.call("GET", path, stranger)).status).toBe(404)
    expect((await get("/runs/exec_none")).headers.get("etag")).toBeNull()
  })
})

test.each(["/runs", "/runs/:id/pages", "/runs/:id/corrections", "/runs/exec_none", "/nothing"])(
  "%s must not be cached",
  async (path) => {
    const made = await service.it.call("POST", "/flows/greet/run", { key: tenant.live, body: await runOf() })
    const { headers } = await get(path.replace(":id", textAt(made.body, "id")))
    expect(headers.get("cache-control")).toBe("no-store")
  }
)

/** The bytes as they were sent: fetch would unpack them. */
const raw = async (encoding: string) => {
  const head = await service.it.sendBytes(
    `GET /api/v1/flows HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${tenant.live}\r\nAccept-Encoding: ${encoding}\r\nConnection: close\r\n\r\n`
  )
  const [headers = "", body = ""] = head.split("\r\n\r\n")
  return { headers: headers.toLowerCase(), body: Buffer.from(body, "latin1") }
}

describe("gzip", () => {
  test("packs long answers for those who take it", async () => {
    const plain = await raw("identity")
    const packed = await raw("br, gzip;q=0.5")
    expect(packed.headers).toContain("content-encoding: gzip")
    expect(packed.headers).toContain("vary: accept-encoding")
    expect(plain.headers).toContain("vary: accept-encoding")
    expect(gunzipSync(packed.body).toString()).toBe(plain.body.toString())
    expect(packed.body.length).toBeLessThan(plain.body.length / 2)
  })

  test.each(["gzip;q=0", "deflate", ""])("sends them plain for %j", async (encoding) => {
    expect((await raw(encoding)).headers).not.toContain("content-encoding")
  })
})

const answer = (
  origins: ReadonlyArray<string>,
  path: string,
  headers: Record<string, string>,
  method = "GET"
) => {
  const handler = HttpEffect.toWebHandler(
    Effect.succeed(HttpServerResponse.text("the answer")).pipe(allowOrigins(origins))
  )
  return handler(new Request(`http://a${path}`, { method, headers }))
}

describe("CORS", () => {
  const own = ["https://app.example.com"]
  const origin = "https://app.example.com"

  test("answers pages of the origins that are set, and their preflights", async () => {
    const { headers } = await answer(own, "/api/v1/flows", { origin })
    expect(headers.get("access-control-allow-origin")).toBe(origin)
    expect(headers.get("access-control-expose-headers")).toContain("x-request-id")
    const asked = { origin, "access-control-request-method": "POST" }
    const preflight = await answer(own, "/api/v1/flows/invoice/run", asked, "OPTIONS")
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get("access-control-allow-headers")).toContain("authorization")
    expect(preflight.headers.get("access-control-allow-methods")).toContain("PUT")
  })

  test.each([
    [own, "/api/v1/flows", "https://evil.example"],
    [own, "/api/v1/flows", "null"],
    [own, "/api/admin/v1/organizations", origin],
    [own, "/dashboard", origin],
    [[], "/api/v1/flows", origin]
  ])("of %j says nothing of %s to %s", async (origins, path, other) => {
    const { headers } = await answer(origins, path, { origin: other })
    expect(headers.get("access-control-allow-origin")).not.toBe(other)
  })
})

const aboutUrl = { details: { field: "input.document.url" } }

const run = (document: object, key = tenant.live) =>
  service.it.call("POST", "/flows/greet/run", {
    key,
    body: { wait: true, timeout: 60_000, input: { document } }
  })

describe("a document by URL", () => {
  test.each([
    "http://example.com/a.pdf",
    "https://127.0.0.1/a.pdf",
    "https://localhost/a.pdf",
    "https://169.254.169.254/latest/meta-data",
    "https://[::1]/a.pdf",
    "https://user:password@example.com/a.pdf",
    "file:///etc/passwd",
    "not a url"
  ])("is not fetched from %s, with a test key neither", async (url) => {
    for (const key of [tenant.live, tenant.test])
      expect(expectError(await run({ url }, key), 422, "VALIDATION_ERROR")).toMatchObject(aboutUrl)
  })

  test("is refused next to base64", async () => {
    const answered = await run({ url: "https://example.com/a.pdf", base64: "JVBERi0=" })
    expect(expectError(answered, 422, "VALIDATION_ERROR")).toMatchObject(aboutUrl)
  })

  test("comes whole, with its name, or not at all", async () => {
    const pdf = await readFile("examples/invoice.pdf")
    const server = createServer(({ url }, response) => {
      if (url?.startsWith("/moved") === true) response.writeHead(302, { location: "/a%20b.pdf" }).end()
      else if (url?.startsWith("/none") === true) response.writeHead(404).end("secret of the server")
      else response.writeHead(200).end(pdf)
    })
    const from = (port: number, path: string, most: number) =>
      Effect.match(fetchDocument(`http://127.0.0.1:${port}${path}`, "test", most), {
        onFailure: ({ reason }) => reason,
        onSuccess: ({ bytes, filename }) => `${filename}: ${Buffer.compare(bytes, pdf) === 0}`
      })
    const answers = await Effect.flatMap(listening(server), (port) =>
      Effect.all([
        from(port, "/a%20b.pdf", 1_000_000),
        from(port, "/a.pdf", 1_000),
        from(port, "/moved", 1_000_000),
        from(port, "/none", 1_000_000)
      ])
    ).pipe(Effect.scoped, Effect.provide(outbound), Effect.runPromise)
    expect(answers).toEqual([
      "a b.pdf: true",
      "it is larger than 1000 bytes",
      "the server redirects, which is not followed; use the final address",
      "the server answered 404"
    ])
  })
})
