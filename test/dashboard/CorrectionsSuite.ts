import { readFile } from "node:fs/promises"
import type { Page } from "playwright-core"
import { beforeAll, describe, expect, it } from "vitest"
import { base64, runOf } from "../support/Documents.ts"
import { expectError } from "../support/Expect.ts"
import { at, listAt, textAt } from "../support/Json.ts"
import type { Tenant } from "../support/TestService.ts"
import { type Browser, hasChromium } from "./Browser.ts"
import type { Shared } from "./Shared.ts"
import { newLink } from "./SignIn.ts"

/** Corrections by the API and in the browser, and the review queue. */
export const describeCorrections = (service: Shared, browser: { readonly it: Browser }): void => {
  const invoice = async (tenant: Tenant) => {
    const document = { base64: base64(await readFile("examples/invoice.pdf")), filename: "invoice.pdf" }
    const body = { wait: true, input: { document } }
    return textAt(
      (await service.it.call("POST", "/flows/invoice/run", { key: tenant.live, body })).body,
      "id"
    )
  }

  describe("corrections", () => {
    let tenant: Tenant
    let id: string
    const get = (path = "/corrections") => service.it.call("GET", `/runs/${id}${path}`, { key: tenant.live })
    const save = (revision: number, ...corrections: ReadonlyArray<object>) =>
      service.it.call("PUT", `/runs/${id}/corrections`, {
        key: tenant.live,
        body: { revision, corrections }
      })
    beforeAll(async () => {
      tenant = await service.it.tenant()
      id = await invoice(tenant)
    })

    it("change the corrected output and nothing else, and say who made them", async () => {
      expect((await get()).body).toEqual({ revision: 0, corrections: [], open: 0 })
      const { body, status } = await save(
        0,
        { step: "fields", field: "totalAmount", value: "$ 1,700.25" },
        { step: "fields", field: "dueDate", value: "17 June 2026" },
        { step: "fields", field: "lineItems", row: 1, column: "quantity", value: 9 },
        { step: "fields", field: "currency" }
      )
      expect({ status, revision: at(body, "revision") }).toEqual({ status: 200, revision: 1 })
      expect(at(body, "output")).toMatchObject({
        totalAmount: 1700.25,
        dueDate: "2026-06-17",
        currency: "USD"
      })
      expect(at(body, "output.lineItems.1.quantity")).toBe(9)
      expect(at(body, "corrections.0")).toMatchObject({
        field: "totalAmount",
        accepted: false,
        by: expect.any(String)
      })
      expect(at(body, "corrections.3")).toMatchObject({ field: "currency", value: "USD", accepted: true })
      expect(at((await get("")).body, "output.totalAmount")).toBe(678.81)
      expect((await get()).body).toEqual(body)
      expect(at((await get("?include=corrections")).body, "corrections")).toEqual(body)
      const { body: log } = await service.it.admin("GET", "/audit?limit=1")
      expect(at(log, "entries.0")).toMatchObject({ action: "corrections.saved", subject: id })
    })

    it("do not overwrite what somebody else saved", async () => {
      expectError(await save(0, { step: "fields", field: "subtotal", value: 1 }), 409, "INVALID_INPUT")
      const both = await Promise.all(
        [2, 3].map((value) => save(1, { step: "fields", field: "subtotal", value }))
      )
      expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
      expect(listAt((await get()).body, "corrections")).toHaveLength(5)
    })

    it("read the text in a box", async () => {
      const { body: page } = await get("/pages/1")
      const place = listAt(page, "places").find((found) => at(found, "field") === "invoiceDate")
      const box = { page: 1, bbox: at(place, "bbox") }
      const { body } = await save(2, { step: "fields", field: "dueDate", ...box })
      expect(at(body, "output.dueDate")).toBe("2026-06-02")
      const empty = { page: 1, bbox: { x: 1, y: 700, w: 3, h: 3 } }
      expectError(await save(3, { step: "fields", field: "dueDate", ...empty }), 422, "VALIDATION_ERROR")
    })

    it.each([
      ["a field that nobody extracted", { step: "fields", field: "nothing", value: 1 }],
      ["a step that does not exist", { step: "elsewhere", field: "totalAmount", value: 1 }],
      [
        "a row that does not exist",
        { step: "fields", field: "lineItems", row: 99, column: "amount", value: 1 }
      ],
      [
        "a value that the flow does not promise",
        { step: "fields", field: "totalAmount", value: { not: "this" } }
      ]
    ])("refuse %s", async (_, correction) => {
      expectError(await save(3, correction), 422, "VALIDATION_ERROR")
    })

    it("are erased with their execution", async () => {
      await service.it.admin("DELETE", `/executions/${id}`)
      expectError(await get(), 404, "EXECUTION_NOT_FOUND")
      expect(await service.it.rows(`select 1 from corrections where execution_id = '${id}'`)).toEqual([])
    })
  })

  describe.skipIf(!hasChromium)("correcting in the browser", () => {
    let page: Page
    let tenant: Tenant
    const field = (name: string) => page.locator(".field-row").filter({ hasText: name })
    const output = async (id: string) =>
      at((await service.it.call("GET", `/runs/${id}/corrections`, { key: tenant.live })).body, "output")

    beforeAll(async () => {
      tenant = await service.it.tenant()
      page = await browser.it.open()
      await page.goto(await newLink(service.it))
      await page.getByRole("heading", { name: "Organizations" }).waitFor()
    })

    it("accepts by key, corrects by typing and by drawing a box", async () => {
      const id = await invoice(tenant)
      await page.goto(`${service.it.address}/dashboard/executions/${id}`)
      await page.locator('.place[data-field="invoiceDate"]').waitFor({ state: "attached" })
      await field("vendorName").locator(".field-button").click()
      await page.keyboard.press("a")
      await field("vendorName").getByText("confirmed").waitFor()
      await field("totalAmount").locator(".field-button").click()
      await page.keyboard.press("e")
      await page.getByLabel("Value of totalAmount").fill("700,50")
      await page.keyboard.press("Enter")
      await field("totalAmount").getByText("corrected").waitFor()

      await field("dueDate").locator(".field-button").click()
      await page.getByRole("button", { name: "Draw" }).click()
      const place = page.locator('.place[data-field="invoiceDate"]')
      await place.scrollIntoViewIfNeeded()
      const box = await place.boundingBox()
      if (box === null) throw new Error("the place of invoiceDate is not there")
      await page.mouse.move(box.x - 2, box.y - 2)
      await page.mouse.down()
      await page.mouse.move(box.x + box.width + 2, box.y + box.height + 2, { steps: 3 })
      await page.mouse.up()
      await field("dueDate").getByText("corrected").waitFor()
      expect(await output(id)).toMatchObject({ totalAmount: 700.5, dueDate: "2026-06-02" })
    })

    it("gives documents to review to one person at a time, the next one on Enter", async () => {
      const body = await runOf({ wait: true })
      const run = async () =>
        textAt((await service.it.call("POST", "/flows/invoice/run", { key: tenant.live, body })).body, "id")
      const [first, second] = [await run(), await run()]
      await page.goto(`${service.it.address}/dashboard/organizations/${tenant.id}/review`)
      await page.getByText("2 documents wait").waitFor()
      await page.getByRole("button", { name: "Start reviewing" }).click()
      await page.waitForURL(`**/executions/${first}`)
      await page.getByText("1 of 10 fields should be checked").waitFor()
      await page.keyboard.press("n")
      await page.keyboard.press("e")
      await page.getByLabel("Value of documentType").fill("invoice")
      await page.keyboard.press("Enter")
      await page.getByText("All fields have a high confidence or are confirmed").waitFor()
      await page.locator(".viewer-summary").click()
      await page.keyboard.press("Enter")
      await page.waitForURL(`**/executions/${second}`)
      // Somebody else finds none: one is done, the other is claimed.
      const other = await browser.it.open()
      await other.goto(await newLink(service.it))
      await other.getByRole("heading", { name: "Organizations" }).waitFor()
      await other.goto(`${service.it.address}/dashboard/organizations/${tenant.id}/review`)
      await other.getByText("1 document waits").waitFor()
      await other.getByRole("button", { name: "Start reviewing" }).click()
      await other.getByText("Somebody else is looking at it").waitFor()
      await Promise.all([other.context().close(), page.context().close()])
    })
  })
}
