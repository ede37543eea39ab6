import { describe, it } from "vitest"
import { runOf } from "../support/Documents.ts"
import { textAt } from "../support/Json.ts"
import { type Browser, hasChromium } from "./Browser.ts"
import type { Shared } from "./Shared.ts"
import { newLink } from "./SignIn.ts"

/** Executions are found by the name of their file, their id and their day. */
export const describeSearch = (service: Shared, browser: { readonly it: Browser }): void => {
  describe.skipIf(!hasChromium)("the list of executions", () => {
    it("is searched by id, filtered by day, and shown whole again", async () => {
      const tenant = await service.it.tenant()
      const run = async () => {
        const body = await runOf({ wait: true })
        return textAt(
          (await service.it.call("POST", "/flows/greet/run", { key: tenant.live, body })).body,
          "id"
        )
      }
      const [one, other] = [await run(), await run()]
      const page = await browser.it.open()
      const row = (text: string) => page.getByRole("row").filter({ hasText: text })
      await page.goto(await newLink(service.it))
      await page.getByRole("heading", { name: "Organizations" }).waitFor()
      await page.goto(`${service.it.address}/dashboard/organizations/${tenant.id}`)
      await row(other).waitFor()
      await page.getByLabel("Search").fill(one)
      await page.keyboard.press("Enter")
      await row(other).waitFor({ state: "detached" })
      await row(one).waitFor()
      await page.getByLabel("Until", { exact: true }).fill("2020-01-02")
      await page.getByText("No executions found.").waitFor()
      await page.getByRole("link", { name: "Show all" }).click()
      await row(other).waitFor()
      await page.context().close()
    })
  })
}
