import { beforeAll, describe, expect, test } from "vitest"
import { exampleInvoice, makeInvoice } from "../fixtures/Invoices.ts"
import { base64 } from "../support/Documents.ts"
import { expectError } from "../support/Expect.ts"
import { at, textAt } from "../support/Json.ts"
import { type Tenant, useService } from "../support/TestService.ts"

const service = useService()
let tenant: Tenant
let document: { readonly base64: string }
beforeAll(async () => {
  tenant = await service.it.tenant()
  document = { base64: base64((await makeInvoice(exampleInvoice)).bytes) }
})

const run = (query: string, body: object = { wait: true, timeout: 60_000 }, key = tenant.live) =>
  service.it.call("POST", `/flows/invoice/run${query}`, { key, body: { ...body, input: { document } } })

describe("?include of a run that waits", () => {
  test.each(["?include=fields", "?include=fields,artifacts,metrics,corrections"])(
    "%s returns the same as reading the execution with it",
    async (query) => {
      const ran = await run(query)
      expect(ran.status).toBe(200)
      const read = await service.it.call("GET", `/runs/${textAt(ran.body, "id")}${query}`, {
        key: tenant.live
      })
      expect(ran.body).toEqual(read.body)
      expect(at(ran.body, "fields.totalAmount.status")).toBe("grounded")
    }
  )

  test("nothing is run if the response could not have it: without wait, or with a wrong name", async () => {
    for (const answer of [await run("?include=fields", {}), await run("?include=places")]) {
      expectError(answer, 400, "INVALID_INPUT")
      expect(at(answer.body, "error.details.field")).toBe("include")
    }
    expect((await run("?include=", {})).status).toBe(200)
  })

  test("needs the scopes that reading needs", async () => {
    const executing = await service.it.key(tenant.id, "live", ["flows:execute"])
    expect((await run("", { wait: true, timeout: 60_000 }, executing)).status).toBe(200)
    expectError(await run("?include=fields", { wait: true }, executing), 403, "FORBIDDEN")
    const reading = await service.it.key(tenant.id, "live", ["flows:execute", "executions:read"])
    expectError(await run("?include=corrections", { wait: true }, reading), 403, "FORBIDDEN")
  })
})
