import type { Page } from "playwright-core"
import { beforeAll, describe, expect, it } from "vitest"
import { runOf } from "../support/Documents.ts"
import { textAt } from "../support/Json.ts"
import type { Tenant } from "../support/TestService.ts"
import { addUser, password, removeUsers } from "../support/TestUsers.ts"
import { type Browser, hasChromium } from "./Browser.ts"
import type { Shared } from "./Shared.ts"
import { newLink } from "./SignIn.ts"

/** What stays while pages come and go: places, filters, what is being typed, and who is signed in. */
export const describeHistory = (service: Shared, browser: { readonly it: Browser }): void => {
  describe.skipIf(!hasChromium)("going back, waiting and changing the person", () => {
    let tenant: Tenant
    let page: Page
    const run = async () => {
      const body = await runOf({ wait: true })
      return textAt(
        (await service.it.call("POST", "/flows/greet/run", { key: tenant.live, body })).body,
        "id"
      )
    }
    const row = (text: string) => page.getByRole("row").filter({ hasText: text })
    beforeAll(async () => {
      tenant = await service.it.tenant()
      page = await browser.it.open({ viewport: { width: 768, height: 400 } })
      await page.goto(await newLink(service.it))
      await page.getByRole("heading", { name: "Organizations" }).waitFor()
    })

    it("goes back to the place in the list, with its filters", async () => {
      const [first] = [await run(), await run(), await run(), await run(), await run()]
      await page.goto(`${service.it.address}/dashboard/organizations/${tenant.id}`)
      await page.getByLabel("Status").selectOption("completed")
      const link = row(first).getByRole("link")
      await link.scrollIntoViewIfNeeded()
      const place = await page.evaluate<number>("scrollY")
      expect(place).toBeGreaterThan(100)
      await link.click()
      await page.getByRole("heading", { name: "Steps" }).waitFor()
      expect(await page.evaluate<number>("scrollY")).toBe(0)
      await page.reload()
      await page.getByRole("heading", { name: "Steps" }).waitFor()
      await page.goBack()
      await expect.poll(() => page.evaluate<number>("scrollY")).toBe(place)
      expect(await page.getByLabel("Status").inputValue()).toBe("completed")
      await page.reload()
      await expect.poll(() => page.evaluate<number>("scrollY")).toBe(place)
    })

    it("goes back once after a double click", async () => {
      await page.goto(`${service.it.address}/dashboard/organizations/${tenant.id}`)
      await page.getByRole("link", { name: "Credits", exact: true }).dblclick()
      await page.getByRole("heading", { name: "Ledger" }).waitFor()
      await page.goBack()
      await page.getByRole("heading", { name: "Executions" }).waitFor()
    })

    it("leaves alone what is being typed into the filters, and waits for a whole year", async () => {
      const id = await run()
      // While one runs, the list is read again sooner.
      const body = await runOf({ variables: { gate: "typing" } })
      await service.it.call("POST", "/flows/hold/run", { key: tenant.live, body })
      await page.goto(`${service.it.address}/dashboard/organizations/${tenant.id}`)
      await row(id).waitFor()
      await page.getByLabel("Until", { exact: true }).fill("0202-01-02")
      await page.getByLabel("Search").pressSequentially("exec")
      await row(await run()).waitFor()
      expect(await page.getByLabel("Search").inputValue()).toBe("exec")
      expect(await page.getByLabel("Until", { exact: true }).inputValue()).toBe("0202-01-02")
      expect(page.url()).not.toContain("until")
      await page.getByLabel("Until", { exact: true }).fill("2020-01-02")
      await page.getByText("No executions found.").waitFor()
      service.it.gates.open("typing")
    })

    it("shows every column in a window of 768 pixels", async () => {
      await page.goto(`${service.it.address}/dashboard/organizations/${tenant.id}/keys`)
      const table = page.getByRole("group", { name: "Keys" })
      await table.getByRole("row").first().waitFor()
      const [inside, box] = await table.evaluate((element) => [element.scrollWidth, element.clientWidth])
      expect(inside).toBe(box)
      await table.locator(".narrow").getByText("Last used").first().waitFor()
    })

    it("is shown by itself, or at once on request, as soon as the service answers", async () => {
      await page.route("**/dashboard/api/session", (route) => route.abort())
      await page.goto(`${service.it.address}/dashboard/organizations/${tenant.id}/keys`)
      await page.getByRole("alert").getByText("The service does not answer.").waitFor()
      await page.unroute("**/dashboard/api/session")
      await page.getByRole("button", { name: "Try again now" }).click()
      await page.getByRole("heading", { name: "Keys", exact: true }).waitFor()
      browser.it.forgive(/ERR_FAILED/u)
    })

    it("signs in by a link that is opened in the tab of the sign-in page", async () => {
      const window = await browser.it.open()
      await window.goto(`${service.it.address}/dashboard`)
      await window.getByLabel("Admin token").waitFor()
      await window.goto(await newLink(service.it))
      await window.getByRole("heading", { name: "Organizations" }).waitFor()
      expect(window.url()).toBe(`${service.it.address}/dashboard`)
      await window.context().close()
    })

    it("shows in every tab who is signed in now", async () => {
      await addUser(service.it, "second", "viewer")
      const other = await page.context().newPage()
      await other.goto(`${service.it.address}/dashboard`)
      const home = other.getByRole("heading", { name: "Organizations" })
      await home.waitFor()
      await other.route("**/dashboard/api/session", (route) => route.abort())
      await other.getByRole("button", { name: "Sign out" }).click()
      const failure = other.getByText("The service does not answer.")
      await failure.waitFor()
      browser.it.forgive(/ERR_FAILED/u)
      await other.unroute("**/dashboard/api/session")
      await other.getByRole("button", { name: "Sign out" }).click()
      await page.getByLabel("Password").waitFor()
      await other.getByLabel("Name").fill("second")
      await other.getByLabel("Password").fill(password)
      await other.keyboard.press("Enter")
      await home.waitFor()
      expect(await failure.count()).toBe(0)
      await page.getByRole("link", { name: "second" }).waitFor()
      expect(await page.getByRole("button", { name: "Make the key" }).count()).toBe(0)
      await removeUsers(service.it)
      await page.context().close()
    })
  })
}
