import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runOf } from "../support/Documents.ts"
import { textAt } from "../support/Json.ts"
import type { Tenant } from "../support/TestService.ts"
import { type Browser, hasChromium } from "./Browser.ts"
import type { Shared } from "./Shared.ts"
import { newLink } from "./SignIn.ts"

/** Drops a file on an element; true if the browser would leave the page to show it. */
const dropOn = (selector: string) => `(() => {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File(["x"], "stray.txt"))
  const drop = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true })
  return document.querySelector("${selector}").dispatchEvent(drop)
})()`

/** Where people get who miss: next to the drop zone, past the end of a list, at an address that does not exist. */
export const describeCorners = (service: Shared, browser: { readonly it: Browser }): void => {
  describe.skipIf(!hasChromium)("corners of the dashboard", () => {
    let tenant: Tenant
    let page: Page
    const open = (path: string) => page.goto(`${service.it.address}/dashboard${path}`)

    beforeAll(async () => {
      tenant = await service.it.tenant()
      page = await browser.it.open()
      await page.goto(await newLink(service.it))
      await page.getByRole("heading", { name: "Organizations" }).waitFor()
    })
    afterAll(() => page.context().close())

    it("ignore a file next to the drop zone, and say that a file is empty", async () => {
      await open(`/organizations/${tenant.id}/try`)
      await page.locator(".drop").waitFor()
      expect(await page.evaluate<boolean>(dropOn("h1"))).toBe(false)
      const buffer = Buffer.alloc(0)
      await page
        .locator('input[type="file"]')
        .setInputFiles({ name: "nothing.pdf", mimeType: "application/pdf", buffer })
      await page.getByText("nothing.pdf is empty. Choose another file.").waitFor()
    })

    it("say that an address does not exist, and that a list ends before it", async () => {
      await open(`/organizations/${tenant.id}/nonsense`)
      await page.getByText("There is no page “nonsense” of an organization.").waitFor()
      await open("?offset=1000")
      await page.getByText("The list ends before this page.").waitFor()
      expect(await page.getByRole("navigation", { name: "Pages of organizations" }).count()).toBe(0)
      await page.getByRole("link", { name: "Show its first page" }).click()
      await page.getByRole("link", { name: "tenant" }).first().waitFor()
    })

    it("link a replay to its original, whose output has a name of its own", async () => {
      const body = await runOf({ wait: true })
      const run = await service.it.call("POST", "/flows/greet/run", { key: tenant.live, body })
      const id = textAt(run.body, "id")
      const again = await service.it.call("POST", `/runs/${id}/replay`, { key: tenant.live, body: {} })
      await open(`/executions/${textAt(again.body, "id")}`)
      await page.getByRole("region", { name: "Output as JSON" }).waitFor()
      expect(await page.getByRole("region", { name: "Output", exact: true }).count()).toBe(1)
      await page.getByRole("link", { name: id }).click()
      await page.waitForURL(`**/executions/${id}`)
    })
  })
}
