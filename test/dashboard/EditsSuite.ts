import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { type Browser, hasChromium } from "./Browser.ts"
import type { Shared } from "./Shared.ts"
import { adminToken, newLink } from "./SignIn.ts"

/** Opens a flow in the editor and types a line. */
const edit = async (page: Page, address: string) => {
  await page.goto(`${address}/dashboard/flows/greet`)
  await page.getByRole("button", { name: "Edit" }).click()
  const editor = page.getByRole("textbox", { name: "The flow as YAML" })
  await editor.click()
  await page.keyboard.insertText("# mine\n")
  await editor.getByText("# mine").waitFor()
  return editor
}

/** Changes to a flow that are not saved: nobody leaves them unasked, and they are found again. */
export const describeEdits = (service: Shared, browser: { readonly it: Browser }): void => {
  describe.skipIf(!hasChromium)("unsaved changes to a flow", () => {
    it("are asked about before the page is left, and shown again after a reload and a new session", async () => {
      const page = await browser.it.open()
      const asked: Array<string> = []
      let answer: "accept" | "dismiss" = "dismiss"
      page.on("dialog", async (dialog) => {
        asked.push(dialog.type())
        await (dialog.type() === "beforeunload" ? dialog.accept() : dialog[answer]())
      })
      await page.goto(await newLink(service.it))
      await page.getByRole("link", { name: "Flows" }).click()
      await page.getByRole("link", { name: "Test flow greet" }).click()
      await page.getByRole("button", { name: "Edit" }).click()
      const editor = page.getByRole("textbox", { name: "The flow as YAML" })
      const isThere = () => editor.getByText("# mine").waitFor()
      await editor.click()
      await page.keyboard.insertText("# mine\n")
      await isThere()
      const address = page.url()

      await page.getByRole("link", { name: "Usage" }).click()
      await page.goBack()
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.getByLabel("Version").selectOption({ index: 1 })
      expect(asked).toEqual(["confirm", "confirm", "confirm", "confirm"])
      expect(page.url()).toBe(address)
      await isThere()

      await page.reload()
      expect(asked.at(-1)).toBe("beforeunload")
      await isThere()
      await editor.click()
      await page.keyboard.insertText("# more\n")
      await editor.getByText("# more").waitFor()
      await page.context().clearCookies()
      // The flow is checked again, without a session, unless the page has noticed already that it ended.
      await page.keyboard.insertText(" ")
      await page.getByLabel("Admin token").fill(adminToken)
      await page.keyboard.press("Enter")
      await editor.getByText("# more").waitFor()
      browser.it.forgive(/401/u)

      answer = "accept"
      await page.getByRole("link", { name: "Usage" }).click()
      await page.getByRole("heading", { level: 1, name: "Usage" }).waitFor()
      await page.goBack()
      await isThere()
      await page.getByRole("button", { name: "Discard the changes" }).click()
      await page.getByRole("button", { name: "Edit" }).click()
      await editor.getByText("greet").first().waitFor()
      expect(await editor.getByText("# mine").count()).toBe(0)
      await page.context().close()
    })

    it("are forgotten in every tab by signing out, of which the question tells", async () => {
      const page = await browser.it.open()
      let asked = ""
      page.on("dialog", async (dialog) => {
        asked = dialog.message()
        await dialog.dismiss()
      })
      await page.goto(await newLink(service.it))
      await page.getByRole("heading", { name: "Organizations" }).waitFor()
      await edit(page, service.it.address)
      const kept = () => page.evaluate<string>("Object.keys(sessionStorage).join()")
      expect(await kept()).toContain("greet")
      await page.getByRole("button", { name: "Sign out" }).click()
      expect(asked).toContain("kept until you sign out or close this tab")
      const other = await page.context().newPage()
      await other.goto(`${service.it.address}/dashboard`)
      await other.getByRole("button", { name: "Sign out" }).click()
      await page.getByLabel("Admin token").waitFor()
      expect(await kept()).toBe("")
      await page.context().close()
    })

    it("are forgotten by a tab that shows the API reference, too", async () => {
      const page = await browser.it.open()
      page.on("dialog", (dialog) => dialog.accept())
      await page.goto(await newLink(service.it))
      await page.getByRole("heading", { name: "Organizations" }).waitFor()
      await edit(page, service.it.address)
      await page.getByRole("link", { name: "API reference" }).click()
      await page.getByRole("heading", { level: 1, name: "docflow" }).waitFor()
      const kept = () =>
        page.evaluate<string>(
          "Object.keys(sessionStorage).filter(name => name.startsWith('docflow:edit:')).join()"
        )
      expect(await kept()).toContain("greet")
      const other = await page.context().newPage()
      await other.goto(`${service.it.address}/dashboard`)
      await other.getByRole("button", { name: "Sign out" }).click()
      await other.getByLabel("Admin token").waitFor()
      await expect.poll(kept).toBe("")
      await page.context().close()
    })

    it("do not bring back who left the page while they were saved", async () => {
      const page = await browser.it.open()
      page.on("dialog", (dialog) => dialog.accept())
      await page.goto(await newLink(service.it))
      await page.getByRole("heading", { name: "Organizations" }).waitFor()
      const saved = { id: "hold", version: "1.0.0" }
      await page.route("**/drafts/check", (route) =>
        route.fulfill({ json: { ...saved, problems: [], graph: null, changes: null } })
      )
      const left = Promise.withResolvers<void>()
      await page.route("**/drafts/save", async (route) => {
        await left.promise
        await route.fulfill({ json: saved })
      })
      await edit(page, service.it.address)
      await page.getByText("No problems.").waitFor()
      const answered = page.waitForResponse("**/drafts/save")
      await page.getByRole("button", { name: "Save as a new version" }).click()
      await page.getByRole("link", { name: "Usage" }).click()
      await page.getByRole("heading", { level: 1, name: "Usage" }).waitFor()
      left.resolve()
      await answered
      await page.evaluate("new Promise((resolve) => setTimeout(resolve, 300))")
      expect(page.url()).toContain("/usage")
      await page.context().close()
    })

    it("stay when they were made during the saving; what is saved is shown under its own id", async () => {
      const page = await browser.it.open()
      let isLeft = false
      page.on("dialog", (dialog) => (isLeft ? dialog.accept() : dialog.dismiss()))
      await page.goto(await newLink(service.it))
      await page.getByRole("heading", { name: "Organizations" }).waitFor()
      const saved = { id: "hold", version: "1.0.0" }
      await page.route("**/drafts/check", (route) =>
        route.fulfill({ json: { ...saved, problems: [], graph: null, changes: null } })
      )
      await page.route("**/drafts/save", async (route) => {
        await page.keyboard.insertText("# later\n")
        await route.fulfill({ json: saved })
      })
      const editor = await edit(page, service.it.address)
      const save = async () => {
        await page.getByText("No problems.").waitFor()
        await page.getByRole("button", { name: "Save as a new version" }).isEnabled()
        await editor.focus()
        await page.evaluate("[...document.querySelectorAll('.workbench button')].at(-1).click()")
      }
      const answered = page.waitForResponse("**/drafts/save")
      await save()
      await answered
      await editor.getByText("# later").waitFor()
      expect(await page.evaluate<string>("Object.values(sessionStorage).join()")).toContain("# later")
      expect(page.url()).toContain("greet")
      isLeft = true
      await save()
      await page.waitForURL("**/flows/hold?version=1.0.0")
      await page.context().close()
    })
  })
}
