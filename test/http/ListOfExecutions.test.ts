import { beforeAll, describe, expect, test } from "vitest"
import { runOf } from "../support/Documents.ts"
import { expectError } from "../support/Expect.ts"
import { at, listAt, textAt } from "../support/Json.ts"
import { type Tenant, useService } from "../support/TestService.ts"

const service = useService()
let tenant: Tenant
/** Ids, the newest first. */
const made: Array<string> = []

const list = async (query: string) => {
  const { body, status } = await service.it.call("GET", `/runs${query}`, { key: tenant.live })
  expect(status).toBe(200)
  return { body, ids: listAt(body, "executions").map((execution) => textAt(execution, "id")) }
}

beforeAll(async () => {
  tenant = await service.it.tenant()
  for (const metadata of [{ customer: "a" }, { customer: "b", n: 1 }, { n: 2 }, {}, { customer: "a" }]) {
    const { body } = await service.it.call("POST", "/flows/greet/run", {
      key: tenant.live,
      body: await runOf({ wait: true, metadata })
    })
    made.unshift(textAt(body, "id"))
  }
})

describe("GET /runs", () => {
  test("has all executions, the newest first, without their outputs", async () => {
    const { body, ids } = await list("")
    expect(ids).toEqual(made)
    expect(body).toMatchObject({ limit: 50, nextCursor: null })
    const [first] = listAt(body, "executions")
    expect(first).toMatchObject({ status: "completed", flowId: "greet", metadata: { customer: "a" } })
    expect(first).not.toHaveProperty("output")
  })

  test("has pages that neither repeat nor leave out an execution, whatever comes in", async () => {
    const seen: Array<string> = []
    let cursor = ""
    for (let page = 0; page < 4 && cursor !== "null"; page++) {
      const { body, ids } = await list(`?limit=2&flowId=greet${cursor}`)
      seen.push(...ids)
      const next = at(body, "nextCursor")
      cursor = typeof next === "string" ? `&cursor=${next}` : "null"
      if (page === 0)
        await service.it.call("POST", "/flows/greet/run", { key: tenant.test, body: await runOf() })
    }
    expect(seen).toEqual(made)
  })

  test.each([
    ["?status=completed", [0, 1, 2, 3, 4]],
    ["?status=failed", []],
    ["?flowId=other", []],
    ["?metadata.customer=a", [0, 4]],
    ["?metadata.customer=a&limit=1", [0]],
    ["?metadata.n=2", [2]],
    ["?metadata.customer=b&metadata.n=1", [3]],
    ["?metadata.customer=b&metadata.n=2", []],
    ["?metadata.gone=", []],
    ["?metadata.a%00=%00", []],
    ["?createdBefore=2020-01-01", []],
    ["?createdAfter=2020-01-01T00:00:00%2B02:00", [0, 1, 2, 3, 4]],
    ["?createdAfter=0999-12-31", [0, 1, 2, 3, 4]],
    ["?createdAfter=0000-01-01T00:00:00%2B14:00", [0, 1, 2, 3, 4]],
    ["?createdBefore=9999-12-31T23:59:59-14:00", [0, 1, 2, 3, 4]],
    ["?createdAfter=3000-01-01", []],
    ["?flowId=%00", []],
    ["?limit=1000&status=completed&flowId=greet&metadata.customer=a", [0, 4]]
  ] as const)("%s", async (query, expected) => {
    expect((await list(query)).ids).toEqual(expected.map((index) => made[index]))
  })

  test.each([
    "?cursor=x",
    `?cursor=${Buffer.from('["0000-01-01","a"]').toString("base64url")}`,
    "?createdAfter=yesterday",
    "?createdBefore=2026-13-01",
    "?createdAfter=2026-02-30",
    "?createdBefore=2027-02-29T09:30:00Z",
    `?${Array.from({ length: 11 }, (_, index) => `metadata.k${index}=a`).join("&")}`,
    "?status=gone",
    "?limit=0"
  ])("%s is refused", async (query) => {
    expectError(await service.it.call("GET", `/runs${query}`, { key: tenant.live }), 400, "INVALID_INPUT")
  })
})
