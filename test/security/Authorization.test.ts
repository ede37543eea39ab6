import { beforeAll, describe, expect, test } from "vitest"
import { expectError } from "../support/Expect.ts"
import { type Tenant, useService } from "../support/TestService.ts"
import { exchange } from "./Wire.ts"

const service = useService()
let tenant: Tenant
let other: Tenant
beforeAll(async () => {
  tenant = await service.it.tenant()
  other = await service.it.tenant()
})

const withHeaders = (path: string, ...headers: ReadonlyArray<string>) =>
  exchange(
    service.it.address,
    [`GET ${path} HTTP/1.1`, "Host: x", "Connection: close", ...headers, "", ""].join("\r\n")
  )

describe("several Authorization headers", () => {
  test("are refused, whichever of them is good", async () => {
    const bad = "df_live_nonsense"
    for (const [first, second] of [
      [tenant.live, bad],
      [bad, tenant.live],
      [tenant.live, other.live],
      [tenant.live, tenant.live]
    ]) {
      const [answer] = await withHeaders(
        "/api/v1/flows",
        `Authorization: Bearer ${first}`,
        `Authorization: Bearer ${second}`
      )
      expect(answer?.status).toBe(401)
      expect(answer?.text).toMatch(/"code":"INVALID_API_KEY"/u)
    }
  })

  test("are refused by the administration API too", async () => {
    const token = "the-admin-token-of-the-tests"
    const [answer] = await withHeaders(
      "/api/admin/v1/organizations",
      `Authorization: Bearer ${token}`,
      `authorization: Bearer ${token}`
    )
    expect(answer?.status).toBe(401)
  })
})

test("an Authorization header of 64 KB is refused in the envelope, and the connection closed", async () => {
  const answers = await withHeaders("/api/v1/flows", `Authorization: Bearer ${"x".repeat(64 * 1024)}`)
  expect(answers.map(({ status }) => status)).toEqual([431])
  expect(answers[0]?.text).toMatch(/"error":\{"code":"INVALID_INPUT","message":/u)
  expect(answers[0]?.text).toMatch(/^connection: close\r$/imu)
})

test("one of 15 KB, which still fits, is a malformed key", async () => {
  expectError(await service.it.call("GET", "/flows", { key: "x".repeat(15_000) }), 401, "INVALID_API_KEY")
})

describe("the scheme", () => {
  test.each(["Bearer", "bearer", "BEARER", "bEaReR"])("%s is Bearer", async (scheme) => {
    const headers = { authorization: `${scheme} ${tenant.live}` }
    expect((await service.it.call("GET", "/flows", { headers })).status).toBe(200)
  })

  test.each([
    ["a tab", (key: string) => `Bearer\t${key}`],
    ["a colon", (key: string) => `Bearer:${key}`],
    ["an equals sign", (key: string) => `Bearer=${key}`],
    ["nothing between", (key: string) => `Bearer${key}`],
    ["quotes", (key: string) => `Bearer "${key}"`],
    ["a word behind", (key: string) => `Bearer ${key} more`],
    ["a comma behind", (key: string) => `Bearer ${key},`],
    ["two keys", (key: string) => `Bearer ${key} ${key}`],
    ["another scheme before", (key: string) => `Basic Bearer ${key}`],
    ["a non-breaking space", (key: string) => `Bearer\u00a0${key}`]
  ])("with %s is refused", async (_, header) => {
    const answer = await service.it.call("GET", "/flows", { headers: { authorization: header(tenant.live) } })
    expect(answer.status).toBe(401)
    expect(answer.text).not.toContain(tenant.live)
  })
})

describe("a key anywhere but in the header", () => {
  test.each(["key", "api_key", "apikey", "access_token", "token", "authorization", "bearer"])(
    "in the query as %s: 401, and not logged",
    async (name) => {
      const path = `/flows?${name}=${tenant.live}`
      expectError(await service.it.call("GET", path), 401, "UNAUTHORIZED")
      expectError(
        await service.it.call("GET", `/runs/exec_1/events?${name}=${tenant.live}`),
        401,
        "UNAUTHORIZED"
      )
      expect(service.it.logs.join("\n")).not.toContain(tenant.live)
    }
  )

  test("in a cookie, a header of its own, or the address: 401", async () => {
    const headers = { cookie: `key=${tenant.live}`, "x-api-key": tenant.live }
    expectError(await service.it.call("GET", "/flows", { headers }), 401, "UNAUTHORIZED")
    expect(service.it.logs.join("\n")).not.toContain(tenant.live)
  })
})
