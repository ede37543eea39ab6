import { readFile } from "node:fs/promises"
import type { Page } from "playwright-core"
import { beforeAll, describe, expect, it } from "vitest"
import { mailWith } from "../fixtures/Mails.ts"
import { base64, runOf } from "../support/Documents.ts"
import { expectError } from "../support/Expect.ts"
import { at, textAt } from "../support/Json.ts"
import type { Tenant } from "../support/TestService.ts"
import { type Browser, hasChromium } from "./Browser.ts"
import type { Shared } from "./Shared.ts"
import { newLink } from "./SignIn.ts"

/** The document next to its fields, in a browser. */
export const describeViewer = (service: Shared, browser: { readonly it: Browser }): void => {
  describe.skipIf(!hasChromium)("the viewer of an execution", () => {
    let page: Page
    let tenant: Tenant
    let id: string
    const run = async (flow: string, body: unknown) =>
      textAt((await service.it.call("POST", `/flows/${flow}/run`, { key: tenant.live, body })).body, "id")
    const open = (execution: string) => page.goto(`${service.it.address}/dashboard/executions/${execution}`)
    const field = (name: string) => page.locator(".field-button").filter({ hasText: name })
    const place = (name: string) => page.locator(`.place[data-field="${name}"]:not([data-column])`)
    const boxOf = async (selector: string) => {
      const box = await page.locator(selector).boundingBox()
      if (box === null) throw new Error(`${selector} is not there`)
      return box
    }

    beforeAll(async () => {
      tenant = await service.it.tenant()
      const document = { base64: base64(await readFile("examples/invoice.pdf")), filename: "invoice.pdf" }
      id = await run("invoice", { wait: true, timeout: 60_000, input: { document } })
      page = await browser.it.open()
      await page.goto(await newLink(service.it))
      await page.getByRole("heading", { name: "Organizations" }).waitFor()
      await open(id)
      await place("totalAmount").waitFor({ state: "attached" })
    })

    it("shows every value in its place, within two pixels of where the evidence says", async () => {
      const { body } = await service.it.call("GET", `/runs/${id}?include=artifacts`, { key: tenant.live })
      const picture = await boxOf(".sheet img")
      const scale = picture.width / 612
      const margin = 2
      for (const name of ["totalAmount", "invoiceNumber", "vendorName"]) {
        const shown = await boxOf(`.place[data-field="${name}"]`)
        const side = (of: string) => Number(at(body, `artifacts.fields.fields.${name}.bbox.${of}`))
        expect(Math.abs(shown.x - picture.x - (side("x") - margin) * scale)).toBeLessThan(2)
        expect(Math.abs(shown.y - picture.y - (side("y") - margin) * scale)).toBeLessThan(2)
        expect(Math.abs(shown.width - (side("w") + 2 * margin) * scale)).toBeLessThan(2)
      }
      expect(await page.locator('.place[data-field="lineItems"][data-column="amount"]').count()).toBe(5)
    })

    it("is headed by the name of the document", async () => {
      await page.getByRole("heading", { level: 1, name: "invoice.pdf" }).waitFor()
    })

    it("shows the place of the field that is chosen, and the field of a place", async () => {
      await field("totalAmount").click()
      expect(await place("totalAmount").getAttribute("data-selected")).toBe("true")
      await page.locator(".field-place").filter({ hasText: "Page 1: $678.81" }).waitFor()
      await place("invoiceNumber").scrollIntoViewIfNeeded()
      const number = await boxOf('.place[data-field="invoiceNumber"]')
      await page.mouse.move(number.x + number.width / 2, number.y + number.height / 2)
      await page.locator(".field-row.is-pointed").filter({ hasText: "invoiceNumber" }).waitFor()
      await page.mouse.down()
      await page.mouse.up()
      expect(await field("invoiceNumber").getAttribute("aria-pressed")).toBe("true")
    })

    it("zooms, keeps places where they are, and lets text be selected", async () => {
      const before = await boxOf(".sheet img")
      await page.getByRole("button", { name: "Zoom in" }).click()
      await page.waitForFunction(
        `document.querySelector(".sheet").getBoundingClientRect().width > ${before.width * 1.4}`
      )
      await page.getByRole("button", { name: "fit the width" }).click()
      await page.evaluate(`getSelection().selectAllChildren([...document.querySelectorAll(".text-layer text")]
        .find((text) => text.textContent.includes("Recycled")))`)
      expect(await page.evaluate<string>("getSelection().toString()")).toContain(
        "Recycled copy paper, 500 sheets"
      )
    })

    it("fetches only pages that are nearly in sight", async () => {
      const asked = new Set<string>()
      page.on("request", (request) => {
        const number = /\/pages\/(\d+)\/picture/u.exec(request.url())?.[1]
        if (number !== undefined) asked.add(number)
      })
      await open(await run("greet", await runOf({ wait: true, pages: 40 })))
      await page.getByText("Page 1 of 40").waitFor()
      await page.locator('[data-page="1"] svg').waitFor({ state: "attached" })
      expect(asked.size).toBeLessThan(5)
      await page.locator(".pages").evaluate((pages) => pages.scrollTo(0, pages.scrollHeight))
      await page.locator('[data-page="40"] svg').waitFor({ state: "attached" })
      expect(asked).toContain("40")
      expect(asked.size).toBeLessThan(12)
      await page.getByRole("button", { name: "Zoom in" }).click()
      await page.getByRole("button", { name: "150 %" }).waitFor()
      await page.locator('[data-page="40"] svg').waitFor({ state: "attached" })
      await page.getByText("Page 40 of 40").waitFor()
      expect(asked.size).toBeLessThan(12)
    })

    it("shows the result of a document that was just dropped, and of running it again", async () => {
      await page.goto(`${service.it.address}/dashboard/organizations/${tenant.id}/try`)
      await page.getByLabel("Flow", { exact: true }).selectOption("invoice")
      await page.locator('input[type="file"]').setInputFiles("examples/invoice.pdf")
      await place("totalAmount").waitFor({ state: "attached" })
      expect(await page.locator(".field-row").filter({ hasText: "totalAmount" }).innerText()).toContain(
        "678.81"
      )
      const first = page.url()
      await page.getByRole("button", { name: "Run again" }).click()
      await page.waitForURL((url) => url.href !== first)
      await place("totalAmount").waitFor({ state: "attached" })
    })

    it("shows the file of a mail that a value was read from, and the mail itself", async () => {
      const content = await readFile("examples/invoice.pdf")
      const mail = Buffer.from(mailWith({ name: "invoice.pdf", content }))
      const sent = await run("opener", {
        wait: true,
        timeout: 60_000,
        input: { document: { base64: base64(mail) } }
      })
      const pages = (query: string) =>
        service.it.call("GET", `/runs/${sent}/pages${query}`, { key: tenant.live })
      expect(at((await pages("")).body, "attachments")).toEqual([
        { attachment: "0", name: "invoice.pdf", pageCount: 1 }
      ])
      expect(at((await pages("/1")).body, "places")).toEqual([])
      expect(at((await pages("/1?attachment=0")).body, "places")).toMatchObject([{ field: "total" }])
      expectError(await pages("/1/picture?attachment=1"), 400, "INVALID_INPUT")
      await open(sent)
      await place("total").waitFor({ state: "attached" })
      await field("total").click()
      await page.locator(".field-place").filter({ hasText: "invoice.pdf, page 1: $678.81" }).waitFor()
      expect(await page.getByRole("button", { name: "Draw" }).count()).toBe(0)
      await page.getByLabel("File", { exact: true }).selectOption({ label: "The document that was sent" })
      await page.locator(".text-layer text").filter({ hasText: "opening hours" }).first().waitFor()
      expect(await place("total").count()).toBe(0)
    })

    it("goes to the next field to look at by key", async () => {
      await open(await run("invoice", await runOf({ wait: true, timeout: 60_000 })))
      await page.locator(".field-row:not(.field-sure) .field-button").first().waitFor()
      await page.keyboard.press("Alt+ArrowDown")
      await page.locator('.field-row:not(.field-sure) .field-button[aria-pressed="true"]').waitFor()
    })

    it("fits a telephone", async () => {
      await page.setViewportSize({ width: 390, height: 844 })
      await open(id)
      await place("totalAmount").waitFor({ state: "attached" })
      expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(390)
      await page.context().close()
    })
  })
}
