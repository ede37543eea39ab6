import { describe, it } from "vitest"
import { runOf } from "../support/Documents.ts"
import { textAt } from "../support/Json.ts"
import { type Browser, hasChromium } from "./Browser.ts"
import type { Shared } from "./Shared.ts"
import { adminToken } from "./SignIn.ts"

/** Where the focus is after what a person did: never on the body, from where Tab starts at the top. */
export const describeFocus = (service: Shared, browser: { readonly it: Browser }): void => {
  describe.skipIf(!hasChromium)("the focus", () => {
    it("goes to where a person goes on with the keyboard", async () => {
      const tenant = await service.it.tenant()
      const body = await runOf({ wait: true })
      const run = await service.it.call("POST", "/flows/greet/run", { key: tenant.live, body })
      const page = await browser.it.open()
      const open = (path: string) => page.goto(`${service.it.address}/dashboard${path}`)
      const focused = (selector: string, text: string) =>
        page.locator(`${selector}:focus`).filter({ hasText: text }).waitFor()
      const confirm = async (button: string, action: string) => {
        await page.getByRole("button", { name: button }).press("Enter")
        await page.getByRole("dialog").getByRole("button", { name: action }).press("Enter")
      }

      await open(`/organizations/${tenant.id}/keys`)
      await page.locator('input[name="token"]:focus').waitFor()
      await page.keyboard.type("wrong")
      await page.keyboard.press("Enter")
      await page.getByText("This is not the admin token.").waitFor()
      browser.it.forgive(/401/u)
      await page.locator('input[name="token"]:focus').waitFor()
      await page.keyboard.type(adminToken)
      await page.keyboard.press("Enter")
      await focused("h1", "tenant")

      await page.getByLabel("Name").fill("to be revoked")
      await page.getByRole("button", { name: "Make the key" }).press("Enter")
      await focused("h2", "to be revoked")
      await page.getByRole("button", { name: "I have copied it" }).press("Enter")
      await focused("h1", "tenant")
      await confirm("Revoke to be revoked", "Revoke")
      await focused("th", "to be revoked")

      await open(`/executions/${textAt(run.body, "id")}`)
      // What is asked of an erased execution is answered with 404.
      await page.waitForLoadState("networkidle")
      await confirm("Erase", "Erase")
      await focused("h1", "greet")

      await open("/flows/greet")
      await page.getByRole("button", { name: "Edit" }).press("Enter")
      await page.locator(".cm-content:focus").waitFor()
      await page.getByRole("button", { name: "Discard the changes" }).press("Enter")
      await focused("h2", "Source")
      await page.context().close()
    })
  })
}
