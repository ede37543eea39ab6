import { describe, expect, it } from "vitest"
import { type Browser, hasChromium } from "./Browser.ts"
import type { Shared } from "./Shared.ts"

/** The API reference, as a browser shows it. */
export const describeReference = (service: Shared, browser: { readonly it: Browser }): void => {
  describe.skipIf(!hasChromium)("the API reference in a browser", () => {
    it("offers no service of others, and has an icon", async () => {
      const page = await browser.it.open()
      await page.goto(`${service.it.address}/docs`)
      await page.getByRole("heading", { level: 1, name: "docflow" }).waitFor()
      await page.getByText("Powered by Scalar").first().waitFor()
      expect(await page.locator("body").innerText()).not.toMatch(/Developer Tools|Open API Client|Share/u)
      const icon = await fetch(`${service.it.address}/favicon.ico`)
      expect([icon.status, icon.headers.get("content-type")]).toEqual([200, "image/svg+xml"])
      await page.context().close()
      expect([...browser.it.watched.origins]).toEqual([service.it.address])
    })
  })
}
