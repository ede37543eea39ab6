import { describe, expect, test } from "vitest"
import { allScopes } from "../../src/domain/ApiKey.ts"
import { pdf, runOf } from "../support/Documents.ts"
import { expectError, isoTime } from "../support/Expect.ts"
import { at, listAt, namesOf, numberAt, textAt } from "../support/Json.ts"
import { adminToken, useService } from "../support/TestService.ts"
import { until } from "../support/Until.ts"

const service = useService()
const run = async (key: string, flow: string, rest: Parameters<typeof runOf>[0] = {}) =>
  textAt(
    (await service.it.call("POST", `/flows/${flow}/run`, { key, body: await runOf({ wait: true, ...rest }) }))
      .body,
    "id"
  )

describe("organizations", () => {
  test.each([
    [{ name: "Acme", plan: "free" }, { requestsPerMinute: 100, concurrentExecutions: 5 }, 0],
    [
      { name: "Acme", plan: "pro", credits: 12.5 },
      { requestsPerMinute: 1000, concurrentExecutions: 50 },
      12.5
    ],
    [
      {
        name: "Ächme 株式会社",
        plan: "enterprise",
        credits: 1,
        requestsPerMinute: 7,
        concurrentExecutions: 3
      },
      { requestsPerMinute: 7, concurrentExecutions: 3 },
      1
    ]
  ])("POST %j answers 201 with the organization", async (body, limits, balance) => {
    const made = await service.it.admin("POST", "/organizations", body)
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      id: expect.any(String),
      name: body.name,
      plan: body.plan,
      credits: { balance, reserved: 0 },
      createdAt: isoTime,
      ...limits
    })
    const read = await service.it.admin("GET", `/organizations/${textAt(made.body, "id")}`)
    expect([read.status, read.body]).toEqual([200, made.body])
  })

  test.each([
    [{ plan: "free" }, 400],
    [{ name: "", plan: "free" }, 400],
    [{ name: "x", plan: "gold" }, 400],
    [{ name: "x", plan: "free", credits: "many" }, 400],
    [{ name: "x", plan: "free", credits: 1e300 }, 400],
    [{ name: "x", plan: "free", credits: -5 }, 400],
    [{ name: "x", plan: "enterprise", requestsPerMinute: 0 }, 400],
    [{ name: "x", plan: "free", requestsPerMinute: 5 }, 422],
    [{ name: "x", plan: "pro", concurrentExecutions: 5 }, 422]
  ])("POST %j is refused with %d", async (body, status) => {
    const answer = await service.it.admin("POST", "/organizations", body)
    expectError(answer, status, status === 400 ? "INVALID_INPUT" : "VALIDATION_ERROR")
  })

  test.each(["x\u0000y", "\uD800"])("a name of %j is refused, not a failure inside", async (name) => {
    const answer = await service.it.admin("POST", "/organizations", { name, plan: "free" })
    expect([400, 422]).toContain(answer.status)
  })

  test("GET lists them, page by page", async () => {
    const { id } = await service.it.tenant()
    const { body } = await service.it.admin("GET", "/organizations?limit=2")
    expect(listAt(body, "organizations")).toHaveLength(2)
    expect(textAt(body, "organizations.0.id")).toBe(id)
    expect(body).toMatchObject({ limit: 2, offset: 0, total: expect.any(Number) })
    const next = await service.it.admin("GET", "/organizations?limit=2&offset=1")
    expect(at(next.body, "organizations.0")).toEqual(at(body, "organizations.1"))
  })

  test.each([
    ["GET", "/organizations/nothing", undefined],
    ["POST", "/organizations/nothing/credits", { amount: 1, reason: "gift" }],
    ["GET", "/organizations/nothing/ledger", undefined],
    ["GET", "/organizations/nothing/keys", undefined],
    ["POST", "/organizations/nothing/keys", { name: "k", environment: "live", scopes: allScopes }],
    ["DELETE", "/keys/nothing", undefined],
    ["GET", "/organizations/nothing/executions", undefined],
    ["GET", "/executions/nothing/deliveries", undefined],
    ["POST", "/deliveries/nothing/redeliver", undefined],
    ["DELETE", "/executions/nothing", undefined]
  ])("%s %s: 404", async (method, path, body) => {
    const answer = await service.it.admin(method, path, body)
    expect(answer.status).toBe(404)
    expect(textAt(answer.body, "error.message")).toMatch(/not found/iu)
  })

  test.each([
    "/organizations/%00",
    "/organizations/%00/ledger",
    "/executions/%00/deliveries",
    "/organizations/x/executions?flowId=%00"
  ])("GET %s is no failure inside", async (path) => {
    expect([400, 404]).toContain((await service.it.admin("GET", path)).status)
  })
})

const sum = (ledger: unknown) =>
  listAt(ledger, "entries").reduce<number>((total, entry) => total + numberAt(entry, "amount"), 0)

describe("credits and the ledger", () => {
  test("granted and taken back; the amounts sum to balance + reserved at every moment", async () => {
    const { id, live } = await service.it.tenant({ plan: "pro", credits: 100 })
    const check = async (balance: number, reserved: number) => {
      expect(await service.it.credits(id)).toEqual({ balance, reserved })
      const { body, status } = await service.it.admin("GET", `/organizations/${id}/ledger`)
      expect(status).toBe(200)
      expect(sum(body)).toBeCloseTo(balance + reserved, 4)
      expect(numberAt(body, "total")).toBe(listAt(body, "entries").length)
      return listAt(body, "entries")
    }
    await check(100, 0)
    const granted = await service.it.admin("POST", `/organizations/${id}/credits`, {
      amount: 20.25,
      reason: "gift"
    })
    expect([granted.status, at(granted.body, "credits")]).toEqual([200, { balance: 120.25, reserved: 0 }])
    const charged = await run(live, "expensive", { pages: 2 })
    await check(100.25, 0)
    await run(live, "boom")
    await check(100.25, 0)
    const held = service.it.call("POST", "/flows/hold/run", {
      key: live,
      body: await runOf({ wait: true, pages: 4, variables: { gate: "ledger" } })
    })
    await until("the reservation", async () =>
      service.it.gates.waitingAt("ledger") === 1 ? true : undefined
    )
    await check(96.25, 4)
    service.it.gates.open("ledger")
    await held
    await service.it.admin("POST", `/organizations/${id}/credits`, { amount: -6.25, reason: "correction" })
    const entries = await check(90, 0)
    for (const entry of entries) {
      expect(entry).toMatchObject({ at: isoTime, kind: expect.any(String), amount: expect.any(Number) })
    }
    expect(entries).toContainEqual(expect.objectContaining({ kind: "grant", amount: 20.25, reason: "gift" }))
    expect(entries).toContainEqual(
      expect.objectContaining({ kind: "charge", amount: -20, executionId: charged })
    )
  })

  test("never fall below nothing", async () => {
    const { id } = await service.it.tenant({ plan: "pro", credits: 5 })
    const taken = await service.it.admin("POST", `/organizations/${id}/credits`, {
      amount: -100,
      reason: "all"
    })
    expect(numberAt(taken.body, "credits.balance")).toBeGreaterThanOrEqual(0)
  })

  test.each([
    { amount: 1 },
    { reason: "x" },
    { amount: "1", reason: "x" },
    { amount: 1e300, reason: "x" },
    {}
  ])("%j is refused", async (body) => {
    const { id } = await service.it.tenant()
    expectError(await service.it.admin("POST", `/organizations/${id}/credits`, body), 400, "INVALID_INPUT")
  })
})

describe("keys", () => {
  test("are shown once, and listed with their last four characters and their last use", async () => {
    const { id } = await service.it.tenant()
    const wanted = { name: "integration", environment: "test", scopes: ["flows:read"] }
    const made = await service.it.admin("POST", `/organizations/${id}/keys`, wanted)
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      id: expect.any(String),
      key: expect.any(String),
      ...wanted,
      createdAt: isoTime
    })
    const key = textAt(made.body, "key")
    const find = async () => {
      const list = await service.it.admin("GET", `/organizations/${id}/keys`)
      expect(list.text).not.toContain(key)
      return listAt(list.body, "keys").find((entry) => at(entry, "id") === at(made.body, "id"))
    }
    const before = await find()
    expect(before).toMatchObject({ ...wanted, lastFour: key.slice(-4), lastUsedAt: null })
    expect(namesOf(before)).not.toContain("key")
    expect((await service.it.call("GET", "/flows", { key })).status).toBe(200)
    expect(await find()).toMatchObject({ lastUsedAt: isoTime })
  })

  test("that are revoked are refused within 5 s with INVALID_API_KEY; revoking again is harmless", async () => {
    const { id } = await service.it.tenant()
    const made = await service.it.admin("POST", `/organizations/${id}/keys`, {
      name: "k",
      environment: "live",
      scopes: allScopes
    })
    const key = textAt(made.body, "key")
    expect((await service.it.call("GET", "/flows", { key })).status).toBe(200)
    const path = `/keys/${textAt(made.body, "id")}`
    expect((await service.it.admin("DELETE", path)).status).toBe(200)
    const revokedAt = performance.now()
    let acceptedAt = revokedAt
    const refused = await until("a refusal", async () => {
      const sentAt = performance.now()
      const answer = await service.it.call("GET", "/flows", { key })
      if (answer.status === 401) return answer
      acceptedAt = sentAt
      return undefined
    })
    // Of requests that were sent later than that, none was accepted, however long each took.
    expect(acceptedAt - revokedAt).toBeLessThan(5000)
    expectError(refused, 401, "INVALID_API_KEY")
    expect((await service.it.admin("DELETE", path)).status).toBe(200)
  })

  test.each([
    { environment: "live", scopes: allScopes },
    { name: "k", environment: "staging", scopes: allScopes },
    { name: "k", environment: "live", scopes: [] },
    { name: "k", environment: "live", scopes: ["flows:delete"] },
    { name: "k", environment: "live" }
  ])("%j is refused", async (body) => {
    const { id } = await service.it.tenant()
    expectError(await service.it.admin("POST", `/organizations/${id}/keys`, body), 400, "INVALID_INPUT")
  })
})

test("bodies that are no JSON, too large or of another type are refused in the envelope", async () => {
  const token = "the-admin-token-of-the-tests"
  const send = (raw: string, type: string) =>
    service.it.request("POST", "/api/admin/v1/organizations", {
      key: token,
      raw,
      headers: { "content-type": type }
    })
  for (const [raw, type] of [
    ["not json", "application/json"],
    ["[".repeat(100_000), "application/json"],
    ["", "application/json"],
    ["name=x", "application/x-www-form-urlencoded"],
    [`{"name":"${await pdf()}","plan":"free"}`, "application/json"]
  ] as const) {
    const answer = await send(raw, type)
    expect([400, 413, 415, 422]).toContain(answer.status)
    expect(at(answer.body, "error.code")).toEqual(expect.any(String))
  }
})

test.each(["/organizations", "/sessions"])("POST %s refuses a compressed body, and says so", async (path) => {
  const headers = { "content-encoding": "gzip" }
  const sent = { key: adminToken, raw: "packed", headers }
  const answer = await service.it.request("POST", `/api/admin/v1${path}`, sent)
  expect(expectError(answer, 415, "INVALID_INPUT")).toMatchObject({
    message: "Content-Encoding gzip is not supported. Send the body uncompressed"
  })
  const unread = await service.it.request("DELETE", "/api/admin/v1/keys/x", { key: adminToken, headers })
  expect(unread.status).toBe(404)
})
