import { beforeAll, describe, expect, test } from "vitest"
import { allScopes, type Scope } from "../../src/domain/ApiKey.ts"
import { runOf } from "../support/Documents.ts"
import { expectError, expectRateHeaders } from "../support/Expect.ts"
import { textAt } from "../support/Json.ts"
import { type Tenant, useService } from "../support/TestService.ts"
import { defined } from "../../src/support/Defined.ts"

const service = useService()
let tenant: Tenant
beforeAll(async () => {
  tenant = await service.it.tenant()
})

/** A key of the right form that nobody made: the checksum is CRC-32 in base 62, as docs/api-decisions.md says. */
const unknownKey = async (): Promise<string> => {
  const made = await service.it.key(tenant.id)
  await service.it.rows(`update api_keys set hash = 'gone' || hash where last_four = '${made.slice(-4)}'`)
  return made
}

const endpoints: ReadonlyArray<readonly [string, string, Scope]> = [
  ["GET", "/flows", "flows:read"],
  ["GET", "/flows/greet", "flows:read"],
  ["POST", "/flows/greet/run", "flows:execute"],
  ["GET", "/runs/exec_nothing", "executions:read"],
  ["POST", "/runs/exec_nothing/cancel", "executions:cancel"]
]

describe("a key", () => {
  test("has its prefix, its environment, 190 random bits or more and 50 characters or more", () => {
    expect(tenant.live).toMatch(/^df_live_[0-9A-Za-z]{42,}$/u)
    expect(tenant.test).toMatch(/^df_test_[0-9A-Za-z]{42,}$/u)
    expect(tenant.live.length).toBeGreaterThanOrEqual(50)
  })

  test("is kept as SHA-256 only", async () => {
    const rows = JSON.stringify(await service.it.rows("select * from api_keys"))
    expect(rows).not.toContain(tenant.live)
    expect(rows).not.toContain(tenant.live.slice(8, 30))
  })
})

describe("401", () => {
  const everywhere = endpoints.map(([method, path]) => [method, path] as const)

  test.each(everywhere)("%s %s without the header: UNAUTHORIZED", async (method, path) => {
    const answer = await service.it.call(method, path)
    expect(expectError(answer, 401, "UNAUTHORIZED")).toMatchObject({
      message: "Missing authorization header"
    })
    expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer\b/u)
    expectRateHeaders(answer)
  })

  test.each(["Basic dXNlcjpwYXNz", "Bearer", "Bearer ", "", "Token x"])(
    "with %j, which is not Bearer: UNAUTHORIZED",
    async (authorization) => {
      const answer = await service.it.call("GET", "/flows", { headers: { authorization } })
      expect(expectError(answer, 401, "UNAUTHORIZED")).toMatchObject({
        message: "Missing authorization header"
      })
      expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer\b/u)
      expectRateHeaders(answer)
    }
  )

  test("without the scheme: UNAUTHORIZED", async () => {
    const answer = await service.it.call("GET", "/flows", { headers: { authorization: tenant.live } })
    expectError(answer, 401, "UNAUTHORIZED")
  })

  test.each(everywhere)("%s %s with a malformed key: INVALID_API_KEY", async (method, path) => {
    const answer = await service.it.call(method, path, { key: "not-a-key" })
    expectError(answer, 401, "INVALID_API_KEY")
    expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer\b/u)
    expectRateHeaders(answer)
  })

  test("with a bad checksum: INVALID_API_KEY", async () => {
    const last = tenant.live.endsWith("a") ? "b" : "a"
    expectError(
      await service.it.call("GET", "/flows", { key: tenant.live.slice(0, -1) + last }),
      401,
      "INVALID_API_KEY"
    )
  })

  test("with another prefix, or live for test: INVALID_API_KEY", async () => {
    for (const key of [tenant.live.replace("df_", "xx_"), tenant.live.replace("_live_", "_test_")]) {
      expectError(await service.it.call("GET", "/flows", { key }), 401, "INVALID_API_KEY")
    }
  })

  test("with a well-formed key that nobody has: UNAUTHORIZED", async () => {
    const answer = await service.it.call("GET", "/flows", { key: await unknownKey() })
    expect(expectError(answer, 401, "UNAUTHORIZED")).toMatchObject({ message: "Invalid API key" })
    expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer\b/u)
    expectRateHeaders(answer)
  })

  test("with an expired key: INVALID_API_KEY", async () => {
    const key = await service.it.key(tenant.id)
    await service.it.rows(
      `update api_keys set expires_at = now() - interval '1 second' where last_four = '${key.slice(-4)}'`
    )
    expectError(await service.it.call("GET", "/flows", { key }), 401, "INVALID_API_KEY")
  })

  test("never shows the key", async () => {
    const key = "df_live_0123456789ABCDEFGHIJ"
    const { text } = await service.it.call("GET", "/flows", { key })
    expect(text).not.toContain(key)
    expect(service.it.logs.join("\n")).not.toContain(tenant.live)
  })
})

test("the scheme counts in any case", async () => {
  const { status } = await service.it.call("GET", "/flows", {
    headers: { authorization: `bearer ${tenant.live}` }
  })
  expect(status).toBe(200)
})

describe("scopes", () => {
  const cases = endpoints.flatMap(([method, path, needed]) =>
    allScopes.map((scope) => [method, path, scope, needed] as const)
  )

  test.each(cases)("%s %s with %s (needed: %s)", async (method, path, scope, needed) => {
    const key = await service.it.key(tenant.id, "live", [scope])
    const body = path.endsWith("/run") ? await runOf() : undefined
    const answer = await service.it.call(method, path, { key, body })
    if (scope === needed) expect(answer.status).toBe(path.includes("nothing") ? 404 : 200)
    else {
      expect(expectError(answer, 403, "FORBIDDEN")).toMatchObject({
        message: `API key missing required scope: ${needed}`
      })
      expectRateHeaders(answer)
    }
  })

  test("a read-only key reads, and neither runs nor cancels", async () => {
    const run = await service.it.call("POST", "/flows/greet/run", { key: tenant.live, body: await runOf() })
    const id = textAt(run.body, "id")
    const key = await service.it.key(tenant.id, "live", ["flows:read", "executions:read"])
    const statusOf = async (method: string, path: string) =>
      (await service.it.call(method, path, { key })).status
    expect(await statusOf("GET", "/flows")).toBe(200)
    expect(await statusOf("GET", `/runs/${id}`)).toBe(200)
    expect(await statusOf("POST", "/flows/greet/run")).toBe(403)
    expect(await statusOf("POST", `/runs/${id}/cancel`)).toBe(403)
  })
})

describe("the administration API", () => {
  test.each([undefined, "wrong-token-of-the-admin", ""])("with the token %j: 401", async (key) => {
    const answer = await service.it.request("GET", "/api/admin/v1/organizations", defined({ key }))
    expectError(answer, 401, "UNAUTHORIZED")
    expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer\b/u)
  })

  test("does not take an API key, nor the API the admin token", async () => {
    expectError(
      await service.it.request("GET", "/api/admin/v1/organizations", { key: tenant.live }),
      401,
      "UNAUTHORIZED"
    )
    expectError(
      await service.it.call("GET", "/flows", { key: "the-admin-token-of-the-tests" }),
      401,
      "INVALID_API_KEY"
    )
  })
})
