import { readFile } from "node:fs/promises"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Role, roles } from "../../src/domain/User.ts"
import { base64 } from "../support/Documents.ts"
import { textAt } from "../support/Json.ts"
import { addUser, password, removeUsers } from "../support/TestUsers.ts"
import { type Browser, hasChromium } from "./Browser.ts"
import type { Shared } from "./Shared.ts"
import { adminToken, newLink } from "./SignIn.ts"

/** What each role may do, by the buttons that its pages show. */
const buttons: Readonly<Record<string, Role>> = {
  Accept: "reviewer",
  "Run again": "operator",
  Redeliver: "operator",
  Erase: "administrator"
}

/** People sign in by name and password and see what their role allows; administrators manage them. */
export const describeUsers = (service: Shared, browser: { readonly it: Browser }): void => {
  const open = (page: Page, path: string) => page.goto(`${service.it.address}/dashboard${path}`)
  const signedInAs = async (name: string): Promise<Page> => {
    const page = await browser.it.open()
    await open(page, "")
    await page.getByLabel("Name").fill(name)
    await page.getByLabel("Password").fill(password)
    await page.getByRole("button", { name: "Sign in", exact: true }).click()
    await page.getByRole("heading", { name: "Organizations" }).waitFor()
    return page
  }

  describe.skipIf(!hasChromium)("users in the dashboard", () => {
    let organization: string
    let execution: string

    beforeAll(async () => {
      const tenant = await service.it.tenant()
      organization = tenant.id
      const document = { base64: base64(await readFile("examples/invoice.pdf")), filename: "invoice.pdf" }
      const body = {
        wait: true,
        timeout: 60_000,
        webhookUrl: "https://receiver.invalid/hook",
        input: { document }
      }
      const run = await service.it.call("POST", "/flows/invoice/run", { key: tenant.live, body })
      execution = textAt(run.body, "id")
      for (const role of roles) await addUser(service.it, role, role)
    })
    afterAll(() => removeUsers(service.it))

    it.each(roles)("%s sees the buttons of the role, and only those", async (role) => {
      const included = new Set(roles.slice(0, roles.indexOf(role) + 1))
      const page = await signedInAs(role)
      expect(await page.getByRole("link", { name: "Users" }).count()).toBe(role === "administrator" ? 1 : 0)
      await open(page, `/executions/${execution}`)
      await page.locator(".field-button").first().click()
      await page.getByRole("heading", { name: "Webhook deliveries" }).waitFor()
      const shown = []
      for (const name of Object.keys(buttons))
        if ((await page.getByRole("button", { name, exact: true }).count()) > 0) shown.push(name)
      expect(shown).toEqual(Object.keys(buttons).filter((name) => included.has(buttons[name] ?? role)))
      await open(page, `/organizations/${organization}/keys`)
      await page.getByRole("heading", { name: "Keys", exact: true }).waitFor()
      expect(await page.getByRole("button", { name: "Make the key" }).count()).toBe(
        role === "administrator" ? 1 : 0
      )
      await open(page, "/users")
      const told = page.getByText("Managing users requires the role administrator.")
      await (role === "administrator" ? page.getByRole("heading", { name: "Add a user" }) : told).waitFor()
      expect(await page.getByRole("button", { name: "Add the user" }).count()).toBe(
        role === "administrator" ? 1 : 0
      )
      await open(page, `/organizations/${organization}/keys`)
      await page.getByRole("heading", { name: "Keys", exact: true }).waitFor()
      expect(await page.getByRole("link", { name: "Try it" }).count()).toBe(included.has("operator") ? 1 : 0)
      await page.context().close()
    })

    it("are added, given a role and a password, and disabled, which ends their session", async () => {
      const page = await signedInAs("administrator")
      await page.getByRole("link", { name: "Users" }).click()
      await page.getByLabel("Name").fill("Clara")
      await page.locator("form").getByLabel("Role").selectOption("reviewer")
      await page.getByLabel("Password", { exact: true }).first().fill(password)
      await page.getByRole("button", { name: "Add the user" }).click()
      await page.getByText("Added clara.").waitFor()
      const clara = await signedInAs("clara")

      await page.getByLabel("Role of clara").selectOption("operator")
      await page.getByText("clara has the role operator now.").waitFor()
      await clara.reload()
      await clara.getByRole("link", { name: "clara" }).click()
      await clara.getByText("operator").waitFor()

      await page.getByRole("button", { name: "Disable clara" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click()
      await page.getByRole("button", { name: "Enable clara" }).waitFor()
      await clara.getByRole("link", { name: "Flows" }).click()
      await clara.getByRole("button", { name: "Sign in", exact: true }).waitFor()
      while (browser.it.watched.errors.length > 0) browser.it.forgive(/401/u)
      await Promise.all([page.context().close(), clara.context().close()])
    })

    it("change their own password, and are told what is wrong", async () => {
      const page = await signedInAs("viewer")
      await page.getByRole("link", { name: "viewer" }).click()
      const change = async (current: string, next: string, again: string) => {
        await page.getByLabel("Current password").fill(current)
        await page.getByLabel("New password", { exact: true }).fill(next)
        await page.getByLabel("New password again").fill(again)
        await page.getByRole("button", { name: "Change the password" }).click()
      }
      await change(password, "a password of mine", "a password of me")
      await page.getByText("The new passwords differ").waitFor()
      await change("not my password", "a password of mine", "a password of mine")
      await page.getByText("The current password is wrong.").waitFor()
      browser.it.forgive(/422/u)
      await change(password, "a password of mine", "a password of mine")
      await page.getByText("Your password was changed.").waitFor()
      await page.reload()
      await page.getByRole("heading", { name: "viewer" }).waitFor()
      await page.context().close()
    })

    it("do not keep the admin token and links from working", async () => {
      const page = await browser.it.open()
      await page.goto(`${service.it.address}/dashboard`)
      await page.getByText("Use the admin token").click()
      await page.getByLabel("Admin token").fill(adminToken)
      await page.getByRole("button", { name: "Sign in with the token" }).click()
      await page.getByRole("heading", { name: "Organizations" }).waitFor()
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.getByLabel("Name").waitFor()
      await page.goto("about:blank")
      await page.goto(await newLink(service.it))
      await page.getByRole("link", { name: "Users" }).waitFor()
      await page.context().close()
    })
  })
}
