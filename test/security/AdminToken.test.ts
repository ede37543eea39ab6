import { afterAll, beforeAll, expect, test } from "vitest"
import { wrongTokensPerMinute } from "../../src/http/GateLive.ts"
import { adminToken, TestService } from "../support/TestService.ts"
import { until } from "../support/Until.ts"

let service: TestService
beforeAll(async () => {
  service = await TestService.start({ DOCFLOW_TRUSTED_PROXIES: "127.0.0.1" })
})
afterAll(() => service.stop())

const statusOf = async (token: string, from: string) =>
  (
    await service.request("GET", "/api/admin/v1/organizations", {
      headers: { authorization: `Bearer ${token}`, "x-forwarded-for": from }
    })
  ).status

test("an address that guesses the admin token is refused for a minute, with the right one too; others are not", async () => {
  expect(await statusOf("guess", "203.0.113.9")).toBe(401)
  // The minute may end before the right token comes: then it is guessed again.
  const refused = await until("the right token to be refused", async () => {
    for (let i = 0; i < 2 * wrongTokensPerMinute; i++) {
      if ((await statusOf(`guess-${i}`, "203.0.113.9")) === 429) break
    }
    const status = await statusOf(adminToken, "203.0.113.9")
    return status === 200 ? undefined : status
  })
  expect(refused).toBe(429)
  expect(await statusOf(adminToken, "203.0.113.10")).toBe(200)
})

test("who attempts too often to sign in is told how long to wait", async () => {
  const dashboard = { "x-docflow-dashboard": "1", "sec-fetch-site": "same-origin" }
  const guess = { name: "nobody", password: "a wrong password" }
  const ways = [
    ["/api/admin/v1/sessions", {}, guess],
    ["/dashboard/api/session", dashboard, { kind: "password", ...guess }]
  ] as const
  for (const [path, headers, body] of ways) {
    const refused = await until("an attempt to be refused", async () => {
      const answer = await service.request("POST", path, {
        body,
        headers: { ...headers, "x-forwarded-for": "203.0.113.11" }
      })
      return answer.status === 429 ? answer : undefined
    })
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
  }
})

test("the reference page at /docs runs its own scripts only, and is put into no frame", async () => {
  const { headers, text } = await service.request("GET", "/docs", {})
  const policy = headers.get("content-security-policy") ?? ""
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).toMatch(/script-src 'sha256-/u)
  expect(policy).not.toMatch(/script-src[^;]*unsafe/u)
  expect(policy.match(/'sha256-/gu)).toHaveLength(
    text.match(/<script\b[^>]*>[^]*?<\/script>/gu)?.length ?? -1
  )
  expect(headers.get("x-frame-options")).toBe("DENY")
})
