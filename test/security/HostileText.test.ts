import { beforeAll, describe, expect, test } from "vitest"
import { pdf, runOf } from "../support/Documents.ts"
import { at, textAt } from "../support/Json.ts"
import { type Answer, type Tenant, useService } from "../support/TestService.ts"

const service = useService()
let tenant: Tenant
beforeAll(async () => {
  tenant = await service.it.tenant()
})

const run = (raw: string, flow = "greet") =>
  service.it.call("POST", `/flows/${flow}/run`, { key: tenant.live, raw })
const expectRefused = (answer: Answer): void => {
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: expect.toSatisfy((status: number) => status >= 400 && status < 500, "a 4xx"),
    body: { error: expect.objectContaining({ code: expect.any(String), message: expect.any(String) }) }
  })
}

const special = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "toJSON", "then"]
const polluting = (name: string) => `{"${name}":{"polluted":"yes","prototype":{"polluted":"yes"}}}`
const expectClean = (): void => {
  expect(Reflect.get({}, "polluted")).toBe(undefined)
  expect(Reflect.get([], "polluted")).toBe(undefined)
  expect(Reflect.get(() => 0, "polluted")).toBe(undefined)
  expect(Object.getPrototypeOf({})).toBe(Object.prototype)
}

describe("members with names that JavaScript treats specially", () => {
  test.each(special)("%s in metadata is echoed", async (name) => {
    const answer = await run(
      `{"wait":true,"metadata":${polluting(name)},"input":{"document":{"base64":"${await pdf()}"}}}`
    )
    expect(answer.status).toBe(200)
    const { body } = await service.it.call("GET", `/runs/${textAt(answer.body, "id")}`, { key: tenant.live })
    expect(JSON.stringify(at(body, "metadata"))).toBe(polluting(name))
    expectClean()
  })

  test.each(special)("%s among the variables is data or refused", async (name) => {
    const document = `"document":{"base64":"${await pdf()}"}`
    for (const flow of ["greet", "picky", "hold"]) {
      const answer = await run(`{"input":{${document},"variables":${polluting(name)}}}`, flow)
      expect([200, 422]).toContain(answer.status)
      expectClean()
    }
  })

  test.each(special)("%s anywhere else in the body is ignored", async (name) => {
    const pollution = `"${name}":{"polluted":"yes","wait":true,"input":{"document":{"base64":"AAAA"}}}`
    const base64 = await pdf()
    for (const body of [
      `{${pollution},"input":{"document":{"base64":"${base64}"}}}`,
      `{"input":{${pollution},"document":{"base64":"${base64}"}}}`,
      `{"input":{"document":{${pollution},"base64":"${base64}"}}}`
    ]) {
      expect((await run(body)).status).toBe(200)
    }
    // What only a prototype has is not there.
    expect(textAt((await run(`{${pollution}}`)).body, "error.details.field")).toBe("input")
    expectClean()
  })

  test.each(special)("%s in a body of the administration API is ignored", async (name) => {
    const answer = await service.it.request("POST", "/api/admin/v1/organizations", {
      key: "the-admin-token-of-the-tests",
      raw: `{"name":"n","plan":"free","${name}":{"polluted":"yes","plan":"enterprise"}}`
    })
    expect([201, 400]).toContain(answer.status)
    expectClean()
  })

  test("as ids in paths and queries find nothing", async () => {
    for (const name of special) {
      const paths = [
        `/flows/${name}`,
        `/runs/${name}`,
        `/flows/greet?version=${name}`,
        `/runs/${name}/events`
      ]
      for (const path of paths) {
        expect((await service.it.call("GET", path, { key: tenant.live })).status).toBe(404)
      }
      expect((await service.it.admin("GET", `/organizations/${name}`)).status).toBe(404)
    }
  })
})

// JSON escapes, so that they arrive as what they are.
const unkeepable = ["\\u0000", "a\\u0000b", "\\ud800", "\\udc00x", "x\\udfff\\ud800"]

describe("U+0000 and unpaired surrogates", () => {
  const places: ReadonlyArray<readonly [string, (bad: string, base64: string) => string]> = [
    ["the version", (bad, base64) => `{"version":"${bad}","input":{"document":{"base64":"${base64}"}}}`],
    ["the idempotency key", (bad, b) => `{"idempotencyKey":"${bad}","input":{"document":{"base64":"${b}"}}}`],
    [
      "the webhook's address",
      (bad, b) => `{"webhookUrl":"https://a.invalid/${bad}","input":{"document":{"base64":"${b}"}}}`
    ],
    ["the webhook's secret", (bad, b) => `{"webhookSecret":"${bad}","input":{"document":{"base64":"${b}"}}}`],
    ["metadata", (bad, b) => `{"metadata":{"a":[{"b":"${bad}"}]},"input":{"document":{"base64":"${b}"}}}`],
    [
      "a name in metadata",
      (bad, b) => `{"metadata":{"a":{"${bad}":1}},"input":{"document":{"base64":"${b}"}}}`
    ],
    ["variables", (bad, b) => `{"input":{"document":{"base64":"${b}"},"variables":{"a":"${bad}"}}}`],
    ["a name in variables", (bad, b) => `{"input":{"document":{"base64":"${b}"},"variables":{"${bad}":1}}}`],
    ["the file name", (bad, b) => `{"input":{"document":{"base64":"${b}","filename":"${bad}"}}}`],
    ["the MIME type", (bad, b) => `{"input":{"document":{"base64":"${b}","mimeType":"${bad}"}}}`],
    ["the base64", (bad) => `{"input":{"document":{"base64":"AAAA${bad}"}}}`],
    ["a field that nobody knows", (bad, b) => `{"other":"${bad}","input":{"document":{"base64":"${b}"}}}`]
  ]

  test.each(places)("in %s are refused", async (_, body) => {
    for (const bad of unkeepable) {
      const answer = await run(body(bad, await pdf()))
      expectRefused(answer)
      expect(at(answer.body, "error.code")).toBe("VALIDATION_ERROR")
    }
  })

  test.each(["%00", "a%00b", "%ED%A0%80", "%C0%80", "%FF", "%"])("%s in paths and queries", async (bad) => {
    const paths = [
      `/flows/${bad}`,
      `/runs/${bad}`,
      `/runs/${bad}/events`,
      `/runs/${bad}/diff/${bad}`,
      `/flows/greet?version=${bad}`,
      `/flows?limit=${bad}`,
      `/flows?offset=${bad}`,
      `/runs/exec_1?include=${bad}`
    ]
    for (const path of paths) expectRefused(await service.it.call("GET", path, { key: tenant.live }))
    for (const path of [`/flows/${bad}/run`, `/runs/${bad}/replay`]) {
      expectRefused(await service.it.call("POST", path, { key: tenant.live, body: await runOf() }))
    }
    expectRefused(await service.it.call("POST", `/runs/${bad}/cancel`, { key: tenant.live }))
    for (const path of ["/organizations/", "/executions/", "/keys/", "/deliveries/"]) {
      for (const method of ["GET", "DELETE"]) expectRefused(await service.it.admin(method, path + bad))
    }
    for (const path of [
      `/organizations/${tenant.id}/executions?flowId=${bad}`,
      `/audit?organizationId=${bad}`
    ]) {
      const { status } = await service.it.admin("GET", path)
      // Nothing has such an id.
      expect([200, 400, 422]).toContain(status)
    }
  })

  test("in bodies of the administration API and of a replay", async () => {
    const finished = await service.it.call("POST", "/flows/greet/run", {
      key: tenant.live,
      body: await runOf({ wait: true })
    })
    for (const bad of unkeepable) {
      const bodies = [
        ["/organizations", `{"name":"${bad}","plan":"free"}`],
        [`/organizations/${tenant.id}/credits`, `{"amount":1,"reason":"${bad}"}`],
        [`/organizations/${tenant.id}/keys`, `{"name":"${bad}","environment":"live","scopes":["flows:read"]}`]
      ] as const
      for (const [path, raw] of bodies) {
        expectRefused(
          await service.it.request("POST", `/api/admin/v1${path}`, {
            key: "the-admin-token-of-the-tests",
            raw
          })
        )
      }
      for (const field of ["fromStep", "version"]) {
        const raw = `{"${field}":"${bad}"}`
        const path = `/runs/${textAt(finished.body, "id")}/replay`
        expectRefused(await service.it.call("POST", path, { key: tenant.live, raw }))
      }
    }
  })
})

test("after all of this nothing has died inside", () => {
  expect(service.it.logs.filter((line) => line.includes("A request died"))).toEqual([])
})
