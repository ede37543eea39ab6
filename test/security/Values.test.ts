import { beforeAll, describe, expect, test } from "vitest"
import { runOf } from "../support/Documents.ts"
import { at } from "../support/Json.ts"
import { type Answer, type Tenant, useService } from "../support/TestService.ts"

const service = useService()
let tenant: Tenant
let document: string

beforeAll(async () => {
  tenant = await service.it.tenant()
  document = JSON.stringify((await runOf())["input"]).slice(1, -1)
})

/** Sends a run with these texts of JSON, as they are. */
const send = (variables: string, metadata = "{}"): Promise<Answer> =>
  service.it.call("POST", "/flows/greet/run", {
    key: tenant.live,
    raw: `{ "input": { ${document}, "variables": ${variables} }, "metadata": ${metadata} }`
  })

const kept = async () => ({
  credits: await service.it.credits(tenant.id),
  executions: await service.it.rows(`select id from executions where organization_id = '${tenant.id}'`)
})

describe("a number that cannot be kept exactly", () => {
  test.each([
    ["metadata", "{}", '{ "n": 1e400 }', "metadata.n"],
    ["metadata, nested", "{}", '{ "a": [0, { "b": -1e999 }] }', "metadata.a.1.b"],
    ["variables", '{ "n": 9007199254740993 }', "{}", "input.variables.n"],
    ["variables, negative", '{ "n": [-9007199254740992] }', "{}", "input.variables.n.0"],
    ["variables, with an exponent", '{ "n": 1e300 }', "{}", "input.variables.n"]
  ])("in %s is refused with its path, and nothing is kept", async (_where, variables, metadata, field) => {
    const before = await kept()
    const answer = await send(variables, metadata)
    expect(answer.status).toBe(422)
    expect(at(answer.body, "error")).toMatchObject({ code: "VALIDATION_ERROR", details: { field } })
    expect(await kept()).toEqual(before)
  })

  test("is none of these", async () => {
    const metadata = { whole: 9_007_199_254_740_991, part: 0.1, small: 5e-324, zero: -0 }
    const { body, status } = await send("{}", JSON.stringify(metadata))
    expect(status).toBe(200)
    expect(at(body, "metadata")).toEqual({ ...metadata, zero: 0 })
  })
})

describe("variables and metadata have limits", () => {
  test.each([
    ["too many keys", () => `{ ${members(200_000)} }`, 422, "input.variables: it has more than 10000 keys"],
    ["too many values: numbers", () => `{ "a": [${"1,".repeat(10_000_000)}1] }`, 400, "too many values"],
    ["too many values: empty lists", () => `{ "a": [${"[],".repeat(5_000_000)}1] }`, 400, "too many values"],
    ["far too many bytes", () => `{ "a": "${"a".repeat(27_000_000)}" }`, 422, "bytes as it is sent"],
    ["far too many escapes", () => `{ "a": "${'\\"'.repeat(13_000_000)}" }`, 422, "bytes as it is sent"],
    ["too many bytes", () => `{ "a": ${JSON.stringify("a".repeat(1_100_000))} }`, 422, "input.variables"],
    ["too many levels", () => `{ "a": ${"[".repeat(65)}${"]".repeat(65)} }`, 400, "nested too deeply"]
  ])("%s", async (_name, variables, status, message) => {
    const answer = await send(variables())
    expect(answer.status).toBe(status)
    expect(answer.text).toContain(message)
  })
})

const members = (count: number): string =>
  Array.from({ length: count }, (_, index) => `"k${index}":0`).join(",")
