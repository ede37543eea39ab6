import { beforeAll, describe, expect, it } from "vitest"
import { parse } from "yaml"
import { expectError } from "../support/Expect.ts"
import { at, listAt, textAt } from "../support/Json.ts"
import type { Tenant } from "../support/TestService.ts"
import { exampleRun } from "./ExampleRun.ts"
import type { Shared } from "./Shared.ts"

const values = (...all: ReadonlyArray<readonly [path: string, value: unknown]>) => ({
  values: all.map(([path, value]) => ({ path, value }))
})

/** Corrections of tables and of their cells, which must agree in whatever order they are made. */
export const describeTableCorrections = (service: Shared): void => {
  describe("corrections of a table and of its cells", () => {
    let tenant: Tenant
    let original: unknown
    beforeAll(async () => {
      tenant = await service.it.tenant()
      original = at(await exampleRun(service, tenant), "output")
    })

    const corrected = async (...requests: ReadonlyArray<object>) => {
      const other = textAt(await exampleRun(service, tenant), "id")
      const path = `/runs/${other}`
      const call = (method: "GET" | "PUT", part: string, body?: object) =>
        service.it.call(method, `${path}/${part}`, { key: tenant.live, ...(body && { body }) })
      for (const [ifMatch, body] of requests.slice(0, -1).entries())
        expect(await call("PUT", "corrections", { ifMatch, ...body })).toMatchObject({ status: 200 })
      const last = await call("PUT", "corrections", { ifMatch: requests.length - 1, ...requests.at(-1) })
      const set = at((await call("GET", "test-set")).body, "text")
      return { last, expected: typeof set === "string" ? at(parse(set), "cases.0.expect") : undefined }
    }
    const rows = () => listAt(original, "lineItems")
    const one = () => rows().slice(0, 1)

    it("agree if the table is replaced last", async () => {
      const { expected, last } = await corrected(
        values(["/lineItems/1/description", "Rope"]),
        values(["/lineItems", one()])
      )
      expect(last.body).toMatchObject({
        values: [{ path: "/lineItems", value: one() }],
        output: { lineItems: one() }
      })
      expect(expected).toEqual({ lineItems: one() })
    })

    it("agree if a cell is changed last, also in a row that was added", async () => {
      const { expected, last } = await corrected(
        values(["/lineItems", [...rows(), ...one()]]),
        values([`/lineItems/${rows().length}/description`, "Rope"])
      )
      const [line = {}] = one()
      const now = [...rows(), { ...Object(line), description: "Rope" }]
      const path = `/lineItems/${rows().length}/description`
      expect(last.body).toMatchObject({
        values: [
          { path: "/lineItems", value: now },
          { path, value: "Rope" }
        ],
        output: { lineItems: now }
      })
      expect(expected).toEqual({
        lineItems: now,
        [`lineItems[${rows().length}].description`]: "Rope"
      })
    })

    it("refuse a cell that the corrected table does not have, also within one request", async () => {
      const cell = ["/lineItems/1/description", "Rope"] as const
      for (const requests of [
        [values(["/lineItems", one()]), values(cell)],
        [values(["/lineItems", one()], cell)],
        [values(["/lineItems", one()]), { confirmed: [cell[0]] }]
      ]) {
        const { last } = await corrected(...requests)
        const message = expect.stringContaining(
          'there is no "/lineItems/1/description", because the table "/lineItems" has only row 0; send'
        )
        expect(expectError(last, 422, "VALIDATION_ERROR")).toMatchObject({ message })
      }
    })

    it("agree if a cell of a confirmed table is corrected, and confirmed or corrected back", async () => {
      const cell = "/lineItems/0/description"
      const before = [{ confirmed: ["/lineItems"] }, values([cell, "Rope"])]
      for (const back of [{ confirmed: [cell] }, values([cell, at(original, "lineItems.0.description")])]) {
        const { last } = await corrected(...before, back)
        expect(last.body).toMatchObject({
          values: [],
          confirmed: [{ path: "/lineItems" }, { path: cell }],
          output: { lineItems: rows() }
        })
      }
    })

    it("are withdrawn by path: a cell, or the table with its cells", async () => {
      const cell = "/lineItems/1/description"
      const before = [
        values([cell, "Rope"], ["/lineItems/0/description", "Cord"]),
        { confirmed: ["/vendorName"] }
      ]
      const one = await corrected(...before, { reverted: [cell] })
      expect(one.last.body).toMatchObject({
        values: [{ path: "/lineItems/0/description", value: "Cord" }],
        confirmed: [{ path: "/vendorName" }]
      })
      const all = await corrected(values(["/lineItems", rows().slice(0, 1)]), { reverted: ["/lineItems"] })
      expect(all.last.body).toMatchObject({ values: [], confirmed: [], output: { lineItems: rows() } })
      const { last } = await corrected({ reverted: ["/nothing"] })
      expect(expectError(last, 422, "VALIDATION_ERROR")).toMatchObject({ details: { field: "reverted.0" } })
    })

    it("refuse to confirm a cell that the corrected table changed", async () => {
      const { last } = await corrected(values(["/lineItems", rows().slice(1)]), {
        confirmed: ["/lineItems/0/description"]
      })
      expect(expectError(last, 422, "VALIDATION_ERROR")).toMatchObject({
        message: expect.stringContaining("the table lineItems was corrected"),
        details: { field: "confirmed.0" }
      })
    })
  })
}
