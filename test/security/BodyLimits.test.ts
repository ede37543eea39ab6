import { Context } from "effect"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import { beforeAll, beforeEach, describe, expect, test } from "vitest"
import { Api } from "../../src/api/Api.ts"
import { BodyLimit } from "../../src/api/Gate.ts"
import { DashboardApi } from "../../src/dashboard/DashboardApi.ts"
import { cookieOf, fromPage, signIn } from "../dashboard/SignIn.ts"
import { expectError } from "../support/Expect.ts"
import { textAt } from "../support/Json.ts"
import { adminToken, useService } from "../support/TestService.ts"
import { filled } from "./Endpoints.ts"

/** An endpoint that can be sent a body. */
interface Door {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly hasBody: boolean
  /** `undefined` where the handler reads the body. */
  readonly limit: number | undefined
}

/** Every endpoint of both contracts, so that no new one is forgotten. */
const doors: Array<Door> = []
const found = {
  onGroup: () => undefined,
  onEndpoint: ({ endpoint }: { readonly endpoint: HttpApiEndpoint.Top }) => {
    const { annotations, method, path, payload } = endpoint
    if (method === "GET") return
    const limit = Context.get(annotations, BodyLimit)
    doors.push({ name: `${method} ${path}`, method, path, hasBody: payload.size > 0, limit })
  }
}
HttpApi.reflect(Api, found)
HttpApi.reflect(DashboardApi, found)

/** More than a run may have, in bytes. */
const enormous = 40_000_000
/** The largest limit of an endpoint that is not a run. */
const largest = 8 * 1024 * 1024

const service = useService()
let key = ""
let organization = ""
let cookie = ""
beforeAll(async () => {
  const tenant = await service.it.tenant()
  key = tenant.live
  organization = tenant.id
})
beforeEach(async () => {
  await service.it.rows("delete from rate_windows")
  cookie = cookieOf(await signIn(service.it, "token", adminToken))
})

const headersFor = (path: string): Record<string, string> => {
  if (path.startsWith("/dashboard")) return { ...fromPage, cookie }
  return { authorization: `Bearer ${path.startsWith("/api/admin") ? adminToken : key}` }
}
/** A query without which no endpoint with a body looks at it. */
const withQuery = (path: string): string => `${filled(path, { id: organization })}?environment=live`

describe.each(doors)("$name", ({ hasBody, limit, method, path }) => {
  const headOf = (lines: string): string =>
    `${method} ${withQuery(path)} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
    Object.entries(headersFor(path))
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join("") +
    `${lines}\r\n`

  test("refuses what is announced as too large before any of it is sent, or ignores it", async () => {
    const answer = await service.it.sendBytes(headOf(`Content-Length: ${enormous}\r\n`))
    expect(answer).toMatch(hasBody ? /^HTTP\/1\.1 413 .*"code":"INVALID_INPUT"/su : /^HTTP\/1\.1 [24]\d\d /u)
  })

  test.runIf(hasBody)("refuses what is nested too deeply", async () => {
    const sent = { headers: headersFor(path), raw: "[".repeat(60_000) }
    const answer = await service.it.request(method, withQuery(path), sent)
    expect(textAt(answer.body, "error.message")).toBe(
      "The JSON is nested too deeply: at most 64 levels are allowed"
    )
    expectError(answer, 400, "INVALID_INPUT")
  })

  test.runIf(hasBody && limit !== undefined)("counts what comes in chunks", async () => {
    expect(limit).toBeLessThanOrEqual(largest)
    const chunk = `10000\r\n${" ".repeat(0x10000)}\r\n`
    const chunks = chunk.repeat(Math.ceil(Number(limit) / 0x10000) + 1)
    const answer = await service.it.sendBytes(headOf("Transfer-Encoding: chunked\r\n") + chunks)
    expect(answer).toMatch(/^HTTP\/1\.1 413 .*"code":"INVALID_INPUT"/su)
  })
})
