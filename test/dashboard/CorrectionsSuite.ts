import { PDFDocument } from "pdf-lib"
import sharp from "sharp"
import { beforeAll, describe, expect, it } from "vitest"
import { DocflowClient } from "../../src/client/index.ts"
import { base64, runOf } from "../support/Documents.ts"
import { expectError } from "../support/Expect.ts"
import { at, listAt, textAt } from "../support/Json.ts"
import type { Tenant } from "../support/TestService.ts"
import { exampleRun } from "./ExampleRun.ts"
import type { Shared } from "./Shared.ts"

/** Corrections by the API. */
export const describeCorrections = (service: Shared): void => {
  describe("corrections", () => {
    let tenant: Tenant
    let id: string
    const get = (path = "/corrections") => service.it.call("GET", `/runs/${id}${path}`, { key: tenant.live })
    const put = (body: object) =>
      service.it.call("PUT", `/runs/${id}/corrections`, { key: tenant.live, body })
    const save = (ifMatch: number, ...values: ReadonlyArray<object>) => put({ ifMatch, values })
    const saved = { by: expect.any(String), at: expect.any(String) }
    let original: unknown
    beforeAll(async () => {
      tenant = await service.it.tenant()
      id = textAt(await exampleRun(service, tenant), "id")
      original = at((await get("")).body, "output")
    })

    it("change the corrected output and nothing else, and say who made them", async () => {
      expect((await get()).body).toEqual({
        ifMatch: 0,
        values: [],
        confirmed: [],
        open: 0,
        output: original
      })
      const { body, status } = await put({
        ifMatch: 0,
        values: [
          { path: "/totalAmount", value: "$ 1,700.25" },
          { path: "/dueDate", value: "17 June 2026" },
          { path: "/lineItems/1/quantity", value: 9 }
        ],
        confirmed: ["/currency"]
      })
      expect({ status, body }).toMatchObject({
        status: 200,
        body: {
          ifMatch: 1,
          values: [
            { path: "/totalAmount", value: 1700.25, ...saved },
            { path: "/dueDate", value: "2026-06-17", ...saved },
            { path: "/lineItems/1/quantity", value: 9, ...saved }
          ],
          confirmed: [{ path: "/currency", ...saved }],
          output: { totalAmount: 1700.25, dueDate: "2026-06-17", currency: "USD" }
        }
      })
      expect(at(body, "output.lineItems.1.quantity")).toBe(9)
      expect(at((await get("")).body, "output")).toEqual(original)
      expect((await get()).body).toEqual(body)
      expect(at((await get("?include=corrections")).body, "corrections")).toEqual(body)
      const { body: log } = await service.it.admin("GET", "/audit?limit=1")
      expect(at(log, "entries.0")).toMatchObject({ action: "corrections.saved", subject: id })
    })

    it("do not overwrite what somebody else saved", async () => {
      expectError(await save(0, { path: "/subtotal", value: 1 }), 409, "INVALID_INPUT")
      const both = await Promise.all([2, 3].map((value) => save(1, { path: "/subtotal", value })))
      expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
      const { body } = await get()
      expect(at(body, "ifMatch")).toBe(2)
      expect(listAt(body, "values")).toHaveLength(4)
    })

    it("read the text in a box", async () => {
      const { body: page } = await get("/pages/1")
      const place = listAt(page, "places").find((found) => at(found, "field") === "invoiceDate")
      const box = { page: 1, bbox: at(place, "bbox") }
      const { body } = await save(2, { path: "/dueDate", ...box })
      expect(at(body, "output.dueDate")).toBe("2026-06-02")
      expect(listAt(body, "values")).toContainEqual({
        path: "/dueDate",
        value: "2026-06-02",
        ...box,
        ...saved
      })
      const empty = { page: 1, bbox: { x: 1, y: 700, w: 3, h: 3 } }
      const refused = await save(3, { path: "/dueDate", ...empty })
      expect(expectError(refused, 422, "VALIDATION_ERROR")).toMatchObject({
        details: { field: "values.0.bbox" }
      })
    })

    it("take a row, a table, and paths with dots", async () => {
      const { body } = await put({
        ifMatch: 3,
        values: [
          { path: "/lineItems/0", value: { quantity: 4, amount: 44 } },
          { path: "lineItems.1.quantity", value: 5 }
        ],
        confirmed: ["vendorName"]
      })
      expect(at(body, "output.lineItems.0")).toMatchObject({ quantity: 4, amount: 44 })
      expect(at(body, "output.lineItems.1.quantity")).toBe(5)
      expect(listAt(body, "confirmed").map((one) => at(one, "path"))).toContain("/vendorName")
      const rows = listAt(original, "lineItems").slice(0, 1)
      const table = await save(4, { path: "/lineItems", value: rows })
      expect(at(table.body, "output.lineItems")).toEqual(rows)
    })

    it("read three decimals as such, if the value that is shown has them", async () => {
      const other = textAt(await exampleRun(service, tenant), "id")
      const values = async (ifMatch: number, ...all: ReadonlyArray<object>) => {
        const body = { ifMatch, values: all }
        return (await service.it.call("PUT", `/runs/${other}/corrections`, { key: tenant.live, body })).body
      }
      const [amount, quantity] = ["/totalAmount", "/lineItems/0/quantity"]
      const row = { description: "Rope", quantity: 2.125, unitPrice: 4, amount: 8.5 }
      const before = await values(0, { path: amount, value: "1.234" }, { path: quantity, value: "2,500" })
      expect([at(before, "output.totalAmount"), at(before, "output.lineItems.0.quantity")]).toEqual([
        1234, 2500
      ])
      await values(1, { path: amount, value: 1.234 }, { path: "/lineItems", value: [row] })
      const after = await values(2, { path: amount, value: "1.235" }, { path: quantity, value: "2,500" })
      expect([at(after, "output.totalAmount"), at(after, "output.lineItems.0.quantity")]).toEqual([
        1.235, 2.5
      ])
    })

    it.each([
      ["a path that nothing was extracted for", "values.0.path", { path: "/nothing", value: 1 }],
      ["a value that is not extracted", "values.0.path", { path: "/warnings", value: [] }],
      ["the output itself", "values.0.path", { path: "", value: 1 }],
      ["a row that does not exist", "values.0.path", { path: "/lineItems/99/amount", value: 1 }],
      ["a column that does not exist", "values.0.value.x", { path: "/lineItems/0", value: { x: 1 } }],
      ["a row that is no object", "values.0.value", { path: "/lineItems/0", value: 1 }],
      ["no value and no box", "values.0.value", { path: "/totalAmount" }],
      [
        "a page that does not exist",
        "values.0.page",
        { path: "/totalAmount", page: 9, bbox: { x: 1, y: 1, w: 9, h: 9 } }
      ],
      [
        "a value that the flow does not promise",
        "values.0.value",
        { path: "/totalAmount", value: { not: "this" } }
      ]
    ])("refuse %s", async (_, field, value) => {
      const refused = await save(5, value)
      expect(expectError(refused, 422, "VALIDATION_ERROR")).toMatchObject({ details: { field } })
      expect(textAt(refused.body, "error.message")).toMatch(/^Invalid /u)
      expect(textAt(refused.body, "error.details.reason")).not.toMatch(/^Invalid /u)
    })

    it.each([
      ["a confirmed path that nothing was extracted for", "confirmed.1", { confirmed: ["/currency", "/x"] }],
      [
        "the same value corrected and confirmed",
        "confirmed.0",
        { values: [{ path: "/subtotal", value: 1 }], confirmed: ["subtotal"] }
      ]
    ])("refuse %s", async (_, field, body) => {
      const refused = await put({ ifMatch: 5, ...body })
      expect(expectError(refused, 422, "VALIDATION_ERROR")).toMatchObject({ details: { field } })
    })

    it.each([
      ["ifMatch", { ifMatch: undefined, values: [] }],
      ["values.0.path", { values: [{ value: 1 }] }]
    ])("refuse a body without %s", async (field, body) => {
      expect(expectError(await put({ ifMatch: 5, ...body }), 400, "INVALID_INPUT")).toMatchObject({
        message: `${field} is required`,
        details: { field, reason: "required" }
      })
    })

    it("are not saved again where a request changes nothing", async () => {
      const { body } = await get()
      expect(await put({ ifMatch: 5, values: [], confirmed: [] })).toMatchObject({ status: 200, body })
      expectError(await put({ ifMatch: 4 }), 409, "INVALID_INPUT")
      expect((await get()).body).toEqual(body)
    })

    it("need their own scopes, also where an execution includes them", async () => {
      const reader = await service.it.key(tenant.id, "live", ["executions:read"])
      const path = `/runs/${id}?include=corrections`
      expectError(await service.it.call("GET", path, { key: reader }), 403, "FORBIDDEN")
    })

    it("are read and saved by the client", async () => {
      const client = new DocflowClient({ apiKey: tenant.live, baseUrl: `${service.it.address}/api/v1` })
      const { ifMatch } = await client.corrections(id)
      const body = { ifMatch, values: [{ path: "/totalAmount", value: 12.5 }], confirmed: ["/dueDate"] }
      const saved = await client.saveCorrections(id, body)
      expect(saved).toMatchObject({ ifMatch: ifMatch + 1, output: { totalAmount: 12.5 } })
      await expect(client.saveCorrections(id, body)).rejects.toMatchObject({ status: 409 })
      const read = await client.get(id, { include: ["corrections"] })
      expect(read).toMatchObject({ output: original, corrections: saved })
    })

    it("confirm what a step lists in `review` by its path there", async () => {
      const body = await runOf({ wait: true })
      const run = await service.it.call("POST", "/flows/invoice/run", { key: tenant.live, body })
      const other = textAt(run.body, "id")
      const { body: read } = await service.it.call("GET", `/runs/${other}?include=artifacts`, {
        key: tenant.live
      })
      const review = listAt(read, "artifacts.fields.review")
      expect(review).toContainEqual({
        field: "documentType",
        path: "/documentType",
        reason: expect.any(String),
        confidence: expect.any(Number)
      })
      const confirmed = review.map((item) => textAt(item, "path"))
      const answer = await service.it.call("PUT", `/runs/${other}/corrections`, {
        key: tenant.live,
        body: { ifMatch: 0, confirmed }
      })
      expect(answer).toMatchObject({ status: 200, body: { open: 0 } })
    })

    it("read a box on a page without text by recognition", async () => {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1240" height="600"><rect width="1240" height="600" fill="#fff"/>
        <text x="120" y="180" font-family="DejaVu Sans, sans-serif" font-size="44">Handling reference</text>
        <text x="700" y="180" font-family="DejaVu Sans, sans-serif" font-size="44">Bluebird 4711</text></svg>`
      const scan = await PDFDocument.create()
      const sheet = scan.addPage([595, 288])
      const picture = await scan.embedPng(await sharp(Buffer.from(svg)).png().toBuffer())
      sheet.drawImage(picture, { x: 0, y: 0, width: 595, height: 288 })
      const body = { wait: true, input: { document: { base64: base64(await scan.save()) } } }
      const run = await service.it.call("POST", "/flows/learner/run", { key: tenant.live, body })
      const correct = (x: number) =>
        service.it.call("PUT", `/runs/${textAt(run.body, "id")}/corrections`, {
          key: tenant.live,
          body: { ifMatch: 0, values: [{ path: "/caseCode", page: 1, bbox: { x, y: 60, w: 190, h: 34 } }] }
        })
      expect(at((await correct(330)).body, "output.caseCode")).toBe("Bluebird 4711")
    })

    it("are erased with their execution", async () => {
      await service.it.admin("DELETE", `/executions/${id}`)
      expectError(await get(), 404, "EXECUTION_NOT_FOUND")
      expect(await service.it.rows(`select 1 from corrections where execution_id = '${id}'`)).toEqual([])
    })
  })
}
