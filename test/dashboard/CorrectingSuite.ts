import { readFile } from "node:fs/promises"
import type { Page } from "playwright-core"
import { beforeAll, beforeEach, describe, expect, it } from "vitest"
import { runOf } from "../support/Documents.ts"
import { at, listAt, textAt } from "../support/Json.ts"
import type { Tenant } from "../support/TestService.ts"
import { type Browser, hasChromium } from "./Browser.ts"
import { exampleRun } from "./ExampleRun.ts"
import type { Shared } from "./Shared.ts"
import { newLink } from "./SignIn.ts"

/** Corrections in the browser. */
export const describeCorrecting = (service: Shared, browser: { readonly it: Browser }): void => {
  describe.skipIf(!hasChromium)("correcting in the browser", () => {
    let page: Page
    let tenant: Tenant
    const field = (name: string) => page.locator(".field-row").filter({ hasText: name })
    const output = async (id: string) =>
      at((await service.it.call("GET", `/runs/${id}/corrections`, { key: tenant.live })).body, "output")

    // Another tenant for each test: corrections teach the next documents.
    beforeEach(async () => {
      tenant = await service.it.tenant()
    })
    beforeAll(async () => {
      page = await browser.it.open()
      await page.goto(await newLink(service.it))
      await page.getByRole("heading", { name: "Organizations" }).waitFor()
    })

    it("accepts by key, corrects by typing and by drawing a box", async () => {
      const id = textAt(await exampleRun(service, tenant), "id")
      await page.goto(`${service.it.address}/dashboard/executions/${id}`)
      await page.locator('.place[data-field="invoiceDate"]').waitFor({ state: "attached" })
      await field("vendorName").locator(".field-button").click()
      await page.keyboard.press("Control+Enter")
      await field("vendorName").getByText("confirmed").first().waitFor()
      await field("totalAmount").locator(".field-button").click()
      await page.keyboard.press("F2")
      await page.getByLabel("Value of totalAmount").fill("700,50")
      await page.keyboard.press("Enter")
      await field("totalAmount").getByText("corrected").first().waitFor()

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
      await field("dueDate").getByText("corrected").first().waitFor()
      expect(await output(id)).toMatchObject({ totalAmount: 700.5, dueDate: "2026-06-02" })
      await field("vendorName").locator(".field-button").click()
      await field("vendorName")
        .getByText(/^Accepted by an administrator, \d/u)
        .waitFor()
      await field("totalAmount").locator(".field-button").click()
      await field("totalAmount").getByText("Corrected by an administrator").waitFor()
      const asked = page.waitForEvent("download")
      await page.getByRole("button", { name: "Download as test case" }).click()
      const file = await asked
      expect(file.suggestedFilename()).toBe(`${id}.yaml`)
      expect(await readFile(await file.path(), "utf8")).toContain("totalAmount: 700.5")
    })

    it("keeps what was typed and says next to it why it was not saved, and sends it once", async () => {
      const id = textAt(await exampleRun(service, tenant), "id")
      await page.goto(`${service.it.address}/dashboard/executions/${id}`)
      const vendor = field("vendorName")
      await vendor.locator(".field-button").click()
      await page.keyboard.press("F2")
      const input = page.getByLabel("Value of vendorName")
      await input.fill("Mine")
      const theirs = { ifMatch: 0, values: [{ path: "/vendorName", value: "Theirs" }] }
      await service.it.call("PUT", `/runs/${id}/corrections`, { key: tenant.live, body: theirs })
      await page.keyboard.press("Enter")
      const note = vendor.getByRole("alert")
      await note.getByText("Save again to replace it with what you typed").waitFor()
      browser.it.forgive(/409/u)
      expect(await input.inputValue()).toBe("Mine")
      await vendor.locator(".field-value").getByText("Theirs").waitFor()

      let sent = 0
      page.on("request", (request) => {
        if (request.method() === "PUT") sent += 1
      })
      await vendor.getByRole("button", { name: "Save" }).dblclick()
      await input.waitFor({ state: "detached" })
      expect(await output(id)).toMatchObject({ vendorName: "Mine" })
      expect(sent).toBe(1)

      await field("totalAmount").locator(".field-button").click()
      await page.keyboard.press("F2")
      await page.getByLabel("Value of totalAmount").fill("much")
      await page.keyboard.press("Enter")
      await field("totalAmount").getByRole("alert").waitFor()
      browser.it.forgive(/422/u)
      const box = await field("totalAmount").getByRole("alert").boundingBox()
      const list = await page.locator(".viewer-fields").boundingBox()
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan((list?.y ?? 0) + (list?.height ?? 0))
      await page.keyboard.press("Escape")
    })

    it("keeps what was typed into each field until it is saved or discarded, and asks before it is left", async () => {
      const other = await page.context().newPage()
      const asked: Array<string> = []
      other.on("dialog", async (dialog) => {
        asked.push(dialog.type())
        await (dialog.type() === "beforeunload" ? dialog.accept() : dialog.dismiss())
      })
      const row = (name: string) => other.locator(".field-row").filter({ hasText: name })
      const type = async (name: string, text: string) => {
        await row(name).locator(".field-button").click()
        await other.keyboard.press("F2")
        await other.getByLabel(`Value of ${name}`).fill(text)
      }
      const id = textAt(await exampleRun(service, tenant), "id")
      await other.goto(`${service.it.address}/dashboard/executions/${id}`)
      await type("totalAmount", "700,50")
      await type("vendorName", "Mine")
      await row("totalAmount").getByText("Not saved: 700,50").waitFor()
      await row("vendorName").locator(".field-button").click()
      await row("vendorName").getByText("Not saved: Mine").waitFor()
      await other.getByRole("link", { name: "Usage" }).click()
      expect(asked).toEqual(["confirm"])
      await other.reload()
      expect(asked).toEqual(["confirm", "beforeunload"])

      await row("totalAmount").locator(".field-button").click()
      await row("totalAmount").getByRole("button", { name: "Edit" }).click()
      expect(await other.getByLabel("Value of totalAmount").inputValue()).toBe("700,50")
      await other.keyboard.press("Enter")
      await row("totalAmount").getByText("corrected").first().waitFor()
      await row("vendorName").locator(".field-button").click()
      await other.keyboard.press("F2")
      await other.keyboard.press("Escape")
      await row("vendorName").getByText("Not saved").waitFor({ state: "detached" })
      expect(await other.getByText("Not saved").count()).toBe(0)
      await other.getByRole("link", { name: "Usage" }).click()
      await other.getByRole("heading", { level: 1, name: "Usage" }).waitFor()
      expect(asked).toEqual(["confirm", "beforeunload"])
      expect(await output(id)).toMatchObject({ totalAmount: 700.5, vendorName: "Northwind Paper Supply" })
      await other.close()
    })

    it("shows the rows of a corrected table, and accepts a table with its corrected cells", async () => {
      const table = field("lineItems")
      const open = async (path: string, value: unknown) => {
        const id = textAt(await exampleRun(service, tenant), "id")
        const body = { ifMatch: 0, values: [{ path, value }] }
        await service.it.call("PUT", `/runs/${id}/corrections`, { key: tenant.live, body })
        await page.goto(`${service.it.address}/dashboard/executions/${id}`)
        await table.locator(".field-button").click()
        return id
      }
      await open("/lineItems", [{ description: "Rope", quantity: 1, unitPrice: 11.5, amount: 9 }])
      const cell = table.getByRole("button", { name: "row 1, description: Rope, corrected" })
      await cell.waitFor()
      expect(await table.locator(".cell").count()).toBe(4)
      await table.getByRole("button", { name: "row 1, unitPrice: 11.5, sure" }).waitFor()

      const id = await open("/lineItems/0/description", "Rope")
      await cell.waitFor()
      await page.keyboard.press("Control+Enter")
      await table.getByText("corrected").first().waitFor()
      expect(at(await output(id), "lineItems.0.description")).toBe("Rope")
    })

    it("treats letters over a chosen value as its text, and undoes each correction and confirmation", async () => {
      const id = textAt(await exampleRun(service, tenant), "id")
      const state = async () => {
        const { body } = await service.it.call("GET", `/runs/${id}/corrections`, { key: tenant.live })
        return {
          values: listAt(body, "values").map((one) => at(one, "path")),
          confirmed: listAt(body, "confirmed").map((one) => at(one, "path"))
        }
      }
      const table = field("lineItems")
      await page.goto(`${service.it.address}/dashboard/executions/${id}`)
      await table.locator(".field-button").click()
      const cell = table.getByRole("button", { name: /^row 1, description|lineItems, row 1, description/u })
      await cell.click()
      await page.keyboard.type("nap-ed")
      expect(await page.getByLabel(/^Value of lineItems, row 1, description/u).inputValue()).toBe("nap-ed")
      expect(await state()).toEqual({ values: [], confirmed: [] })
      await page.keyboard.press("Enter")
      await cell.and(page.locator(".cell-corrected")).waitFor()
      expect((await state()).values).toEqual(["/lineItems/0/description"])
      await page.keyboard.press("Control+z")
      await cell.and(page.locator(":not(.cell-corrected)")).waitFor()
      expect(await state()).toEqual({ values: [], confirmed: [] })

      await field("vendorName").locator(".field-button").click()
      await page.keyboard.press("Control+Enter")
      await field("vendorName").getByText("confirmed").first().waitFor()
      await field("vendorName").locator(".field-button").click()
      await page.keyboard.type("Mine")
      await page.keyboard.press("Enter")
      await field("vendorName").getByText("corrected").first().waitFor()
      await page.keyboard.press("Control+z")
      await field("vendorName").getByText("confirmed").first().waitFor()
      await field("vendorName").getByRole("button", { name: "Revert to extracted" }).click()
      await field("vendorName").getByText("confirmed").first().waitFor({ state: "detached" })
      expect(await state()).toEqual({ values: [], confirmed: [] })
      await page.getByRole("button", { name: "Undo" }).click()
      await field("vendorName").getByText("confirmed").first().waitFor()
    })

    it("leaves the focus where the keyboard goes on: on the next field, and at last on the next document", async () => {
      const run = await service.it.call("POST", "/flows/invoice/run", {
        key: tenant.live,
        body: await runOf({ wait: true })
      })
      await page.goto(`${service.it.address}/dashboard/executions/${textAt(run.body, "id")}`)
      const focused = () => page.evaluate<string>("document.activeElement.innerText")
      await page.locator(".field-button").first().waitFor()
      await page.keyboard.press("Alt+ArrowDown")
      const first = await focused()
      await page.keyboard.press("F2")
      await page.keyboard.press("Escape")
      expect(await focused()).toBe(first)
      for (let left = 4; left > 0; left--) {
        await page.keyboard.press("Control+Enter")
        await page.getByText(`${left} of 10 fields should be checked`).waitFor()
        await page.locator(".field-row:not(.field-confirmed) .field-button:focus").waitFor()
      }
      await page.keyboard.press("Control+Enter")
      await page.getByText("All fields have a high confidence or are confirmed").waitFor()
      await page.locator("button:focus").filter({ hasText: "Next document to review" }).waitFor()
    })
  })
}
