import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runOf } from "../support/Documents.ts"
import { at, textAt } from "../support/Json.ts"
import type { Tenant } from "../support/TestService.ts"
import { addUser, password, removeUsers } from "../support/TestUsers.ts"
import { type Browser, hasChromium } from "./Browser.ts"
import type { Shared } from "./Shared.ts"
import { cookieOf, fromPage, newLink } from "./SignIn.ts"

/** What a person fills in, by field: the kind is doubted, the others are missing. */
const filled = new Map([
  ["documentType", "invoice"],
  ["invoiceNumber", "17"],
  ["invoiceDate", "2026-03-01"],
  ["vendorName", "Greta's Garage"],
  ["totalAmount", "120"]
])

/** The review queue: each document is given to one person at a time. */
export const describeReview = (service: Shared, browser: { readonly it: Browser }): void => {
  const run = async (tenant: Tenant) => {
    const body = await runOf({ wait: true })
    return textAt(
      (await service.it.call("POST", "/flows/invoice/run", { key: tenant.live, body })).body,
      "id"
    )
  }

  describe("the review queue", () => {
    let tenant: Tenant
    let ids: ReadonlyArray<string>
    const people = new Map<string, string>()
    beforeAll(async () => {
      tenant = await service.it.tenant()
      ids = [await run(tenant), await run(tenant), await run(tenant)]
      for (const name of ["anna", "bert"]) {
        await addUser(service.it, name, "reviewer")
        const body = { kind: "password", name, password }
        const answer = await service.it.request("POST", "/dashboard/api/session", { body, headers: fromPage })
        people.set(name, cookieOf(answer))
      }
    })
    afterAll(() => removeUsers(service.it))

    const ask = (name: string, method: string, path: string, body?: object) =>
      service.it.request(method, `/dashboard/api${path}`, {
        body,
        headers: { ...fromPage, cookie: people.get(name) ?? "" }
      })
    /** The place of the document that a person is given. */
    const given = async (name: string, after?: number) => {
      const query = after === undefined ? "" : `?after=${ids[after]}`
      const { body } = await ask(name, "POST", `/organizations/${tenant.id}/reviews/next${query}`)
      return ids.indexOf(String(at(body, "executionId")))
    }
    const claimedAt = async (index: number) => {
      const [row] = await service.it.rows(
        `select extract(epoch from review_claimed_at)::float as at from executions where id = '${ids[index]}'`
      )
      return Number(at(row, "at"))
    }

    it("gives somebody who comes back the same document, and others another one", async () => {
      expect(await given("anna")).toBe(0)
      expect(await given("bert")).toBe(1)
      expect(await given("anna")).toBe(0)
    })

    it("releases the document that somebody leaves for the next one", async () => {
      expect(await given("anna", 0)).toBe(2)
      expect(await given("bert", 1)).toBe(0)
      expect(await given("anna", 2)).toBe(1)
      expect(await given("anna", 1)).toBe(2)
    })

    it("keeps a document for whoever works on it", async () => {
      const before = await claimedAt(2)
      const path = `/executions/${ids[2]}/corrections`
      const saved = await ask("anna", "PUT", path, {
        revision: 0,
        corrections: [{ step: "fields", field: "vendorName", value: "Greta's Garage" }]
      })
      // The kind is doubted, and number, date and total are missing as well.
      expect(saved.body).toMatchObject({ open: 4 })
      expect(await claimedAt(2)).toBeGreaterThan(before)
    })
  })

  describe.skipIf(!hasChromium)("the review queue in the browser", () => {
    let tenant: Tenant
    let page: Page
    beforeAll(async () => {
      tenant = await service.it.tenant()
      page = await browser.it.open()
      await page.goto(await newLink(service.it))
      await page.getByRole("heading", { name: "Organizations" }).waitFor()
    })

    it("gives documents to review to one person at a time, the next one on Enter", async () => {
      const [first, second] = [await run(tenant), await run(tenant)]
      await page.goto(`${service.it.address}/dashboard/organizations/${tenant.id}/review`)
      await page.getByText("2 documents wait").waitFor()
      await page.getByRole("button", { name: "Start reviewing" }).click()
      await page.waitForURL(`**/executions/${first}`)
      await page.getByText("5 of 10 fields should be checked").waitFor()
      await page.locator(".viewer-warning").getByText("check every field").waitFor()
      for (let left = filled.size; left > 0; left--) {
        await page.keyboard.press("Alt+ArrowDown")
        await page.keyboard.press("F2")
        const input = page.getByLabel(/^Value of /u)
        const name = (await input.getAttribute("aria-label"))?.replace("Value of ", "") ?? ""
        await input.fill(filled.get(name) ?? "")
        await page.keyboard.press("Enter")
        await input.waitFor({ state: "detached" })
      }
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
