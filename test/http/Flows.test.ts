import { beforeAll, describe, expect, test } from "vitest"
import { expectError, fieldOf, isoTime } from "../support/Expect.ts"
import { listAt, numberAt, textAt } from "../support/Json.ts"
import { type Tenant, useService } from "../support/TestService.ts"

const service = useService()
let tenant: Tenant
beforeAll(async () => {
  tenant = await service.it.tenant()
})
const get = (path: string) => service.it.call("GET", path, { key: tenant.live })

const item = {
  id: expect.any(String),
  name: expect.any(String),
  description: expect.any(String),
  version: expect.stringMatching(/^\d+\.\d+\.\d+/u),
  createdAt: isoTime,
  updatedAt: isoTime
}

describe("GET /flows", () => {
  test("lists flows with the specified fields, total, and the default page", async () => {
    const { body, status } = await get("/flows")
    expect(status).toBe(200)
    expect(body).toEqual({ flows: expect.any(Array), total: expect.any(Number), limit: 50, offset: 0 })
    const flows = listAt(body, "flows")
    expect(flows).toHaveLength(numberAt(body, "total"))
    for (const flow of flows) expect(flow).toEqual(item)
    expect(flows.map((flow) => textAt(flow, "id"))).toContain("invoice")
  })

  test("orders them by createdAt descending, then id", async () => {
    const { body } = await get("/flows")
    const shown = listAt(body, "flows").map(
      (flow) => [textAt(flow, "createdAt"), textAt(flow, "id")] as const
    )
    const sorted = shown.toSorted(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? 1 : -1))
    expect(shown).toEqual(sorted)
  })

  test("pages through all of them once, without gaps", async () => {
    const all = listAt((await get("/flows")).body, "flows")
    const paged: Array<unknown> = []
    for (let offset = 0; offset < all.length; offset += 4) {
      const { body } = await get(`/flows?limit=4&offset=${offset}`)
      expect(body).toMatchObject({ limit: 4, offset, total: all.length })
      paged.push(...listAt(body, "flows"))
    }
    expect(paged).toEqual(all)
  })

  test("is empty past the end", async () => {
    const { body, status } = await get("/flows?offset=1000")
    expect(status).toBe(200)
    expect(body).toMatchObject({ flows: [], offset: 1000, limit: 50 })
  })

  test.each([
    ["1", 1],
    ["100", 100],
    ["101", 100],
    ["1000000", 100]
  ])("limit=%s is used as %d", async (limit, used) => {
    const { body, status } = await get(`/flows?limit=${limit}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ limit: used })
  })

  test.each([
    ["limit", "0"],
    ["limit", "-1"],
    ["limit", "1.5"],
    ["limit", "ten"],
    ["limit", ""],
    ["limit", "NaN"],
    ["limit", "Infinity"],
    ["offset", "-1"],
    ["offset", "0.5"],
    ["offset", "x"],
    ["offset", "99999999999999999999"]
  ])("%s=%s is INVALID_INPUT and names the field", async (name, value) => {
    const answer = await get(`/flows?${name}=${value}`)
    expectError(answer, 400, "INVALID_INPUT")
    expect(fieldOf(answer)).toBe(name)
  })
})

describe("GET /flows/{flowId}", () => {
  test("shows the latest version with every specified field", async () => {
    const { body, status } = await get("/flows/greet")
    expect(status).toBe(200)
    expect(body).toEqual({
      ...item,
      id: "greet",
      version: "1.10.0",
      versions: expect.any(Array),
      schema: { input: expect.any(Object), output: expect.any(Object) },
      config: {
        supportedFormats: ["application/pdf"],
        maxFileSizeMB: 20,
        maxPages: 50,
        estimatedCreditsPerPage: 1
      }
    })
    expect(listAt(body, "versions").toSorted()).toEqual(["1.0.0", "1.10.0", "1.2.0", "2.0.0-beta.1"])
  })

  test.each(["1.0.0", "1.2.0", "2.0.0-beta.1"])("shows version %s when asked for", async (version) => {
    const { body, status } = await get(`/flows/greet?version=${version}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: "greet", version })
  })

  test("has an input schema that requires document and base64", async () => {
    const { body } = await get("/flows/invoice")
    expect(body).toMatchObject({
      schema: {
        input: {
          type: "object",
          required: expect.arrayContaining(["document"]),
          properties: {
            document: {
              type: "object",
              required: ["base64"],
              properties: {
                base64: { type: "string" },
                filename: { type: "string" },
                mimeType: { type: "string" }
              }
            }
          }
        }
      }
    })
  })

  test("has the output schema of the flow, and its limits", async () => {
    expect((await get("/flows/invoice")).body).toMatchObject({
      schema: {
        output: { type: "object", properties: { invoiceNumber: {}, totalAmount: {}, lineItems: {} } }
      }
    })
    expect((await get("/flows/picky")).body).toMatchObject({
      config: { maxFileSizeMB: 0.05, maxPages: 2 },
      schema: { input: { properties: { variables: { required: ["customer"] } } } }
    })
    expect((await get("/flows/expensive")).body).toMatchObject({ config: { estimatedCreditsPerPage: 7.5 } })
  })

  test.each([
    "/flows/nothing",
    "/flows/INVOICE",
    "/flows/%00",
    "/flows/%E0%A4%A",
    "/flows/%",
    "/flows/..%2F..%2Fetc",
    `/flows/${"x".repeat(5000)}`
  ])("%s is FLOW_NOT_FOUND", async (path) => {
    expectError(await get(path), 404, "FLOW_NOT_FOUND")
  })

  test.each(["9.9.9", "1", "latest", "%00", ""])("version=%s is VERSION_NOT_FOUND", async (version) => {
    expectError(await get(`/flows/greet?version=${version}`), 404, "VERSION_NOT_FOUND")
  })

  test("an unknown flow is FLOW_NOT_FOUND whatever the version", async () => {
    expectError(await get("/flows/nothing?version=1.0.0"), 404, "FLOW_NOT_FOUND")
  })
})
