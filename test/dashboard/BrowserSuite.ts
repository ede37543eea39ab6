import { createServer } from "node:http"
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { base64, runOf } from "../support/Documents.ts"
import { textAt } from "../support/Json.ts"
import type { Tenant } from "../support/TestService.ts"
import type { Shared } from "./Shared.ts"
import { until } from "../support/Until.ts"
import { type Browser, hasChromium } from "./Browser.ts"
import { adminToken, newLink } from "./SignIn.ts"

const name = hasChromium
  ? "the dashboard in a browser"
  : "the dashboard in a browser (skipped: no /usr/bin/chromium)"

/** What an operator sees and does. */
export const describePages = (service: Shared, browser: { readonly it: Browser }): void => {
  describe.skipIf(!hasChromium)(name, () => {
    let page: Page
    let tenant: Tenant

    const open = (path: string) => page.goto(`${service.it.address}/dashboard${path}`)
    const heading = (text: string | RegExp) => page.getByRole("heading", { level: 1, name: text }).waitFor()
    const row = (text: string | RegExp) => page.getByRole("row").filter({ hasText: text })
    const cells = async (text: string) =>
      (await row(text).getByRole("cell").allInnerTexts()).map((cell) => cell.trim())

    const run = async (flow: string, body: unknown, key = tenant.live) =>
      textAt((await service.it.call("POST", `/flows/${flow}/run`, { key, body })).body, "id")

    beforeAll(async () => {
      tenant = await service.it.tenant()
      page = await browser.it.open()
      await page.goto(await newLink(service.it))
      await heading("Organizations")
    })
    afterAll(() => {
      expect(browser.it.watched.errors).toEqual([])
      expect([...browser.it.watched.origins]).toEqual([service.it.address])
    })

    describe("signing in", () => {
      it("by a link works once, and leaves the link's secret nowhere", async () => {
        const link = await newLink(service.it)
        const first = await browser.it.open()
        await first.goto(link)
        await first.getByRole("heading", { name: "Organizations" }).waitFor()
        expect(first.url()).toBe(`${service.it.address}/dashboard`)

        const second = await browser.it.open()
        await second.goto(link)
        await second.getByRole("alert").getByText("This sign-in link was used before").waitFor()
        browser.it.forgive(/401/u)
        await second.getByLabel("Admin token").fill("wrong")
        await second.getByRole("button", { name: "Sign in" }).click()
        await second.getByText("This is not the admin token.").waitFor()
        browser.it.forgive(/401/u)
        await second.getByLabel("Admin token").fill(adminToken)
        await second.keyboard.press("Enter")
        await second.getByRole("heading", { name: "Organizations" }).waitFor()
        await Promise.all([first.context().close(), second.context().close()])
      })

      it("leads to the page that was asked for", async () => {
        const window = await browser.it.open()
        await window.goto(`${service.it.address}/dashboard/organizations/${tenant.id}/keys`)
        await window.getByLabel("Admin token").fill(adminToken)
        await window.getByRole("button", { name: "Sign in" }).click()
        await window.getByRole("heading", { name: "Make a key" }).waitFor()
        await window.context().close()
      })

      it("is asked for again when the session is over, and signing out ends it", async () => {
        const window = await browser.it.open()
        await window.goto(await newLink(service.it))
        await window.getByRole("button", { name: "Sign out" }).click()
        await window.getByLabel("Admin token").waitFor()
        await window.reload()
        await window.getByLabel("Admin token").fill(adminToken)
        await window.getByRole("button", { name: "Sign in" }).click()
        await window.getByRole("heading", { name: "Organizations" }).waitFor()
        await window.getByRole("link", { name: "tenant" }).first().waitFor()
        await window.context().clearCookies()
        await window.getByRole("link", { name: "tenant" }).first().click()
        await window.getByLabel("Admin token").waitFor()
        await window.context().close()
        // The page and its list may both have asked.
        while (browser.it.watched.errors.length > 0) browser.it.forgive(/401/u)
      })
    })

    describe("organizations, credits and keys", () => {
      it("are made; a name is text, whatever it looks like", async () => {
        await open("")
        const evil = `<img src=x onerror="document.title='owned'"> & Söhne`
        await page.getByText("Create an organization").click()
        await page.getByLabel("Name").fill(evil)
        await page.getByLabel("Plan").selectOption("enterprise")
        await page.getByLabel("Initial credits").fill("12.5")
        await page.getByLabel("Requests per minute").fill("7")
        await page.getByRole("button", { name: "Create the organization" }).click()
        await heading(evil)
        expect(await page.locator("dl").first().innerText()).toMatch(
          /Credits left\s+12.5\s+Reserved\s+0\s+Requests per minute\s+7/u
        )
        expect(await page.title()).toBe(`${evil} · docflow`)
        await page.getByRole("link", { name: "Organizations" }).click()
        await row(evil).waitFor()
      })

      it("have a plan's own limits only for enterprise, and say what does not fit", async () => {
        await open("")
        await page.getByText("Create an organization").click()
        await page.getByLabel("Plan").selectOption("free")
        expect(await page.getByLabel("Requests per minute").count()).toBe(0)
        await page.getByLabel("Name").fill("free one")
        await page.getByRole("button", { name: "Create the organization" }).click()
        await heading("free one")
        await page.getByText("No executions yet.").waitFor()
      })

      it("grant credits, and the ledger says so", async () => {
        await open(`/organizations/${tenant.id}/credits`)
        await page.getByLabel("Amount").fill("250")
        await page.getByLabel("Reason").fill("a present")
        await page.getByRole("button", { name: "Grant" }).click()
        await row("a present").waitFor()
        expect(await cells("a present")).toEqual(["+250", "grant", "a present"])
        await page.locator("dl").first().getByText("10,250").waitFor()
      })

      it("have keys: shown once, used, revoked", async () => {
        await open(`/organizations/${tenant.id}/keys`)
        await page.getByLabel("Name").fill("the robot")
        await page.getByLabel("cancel executions").uncheck()
        await page.getByRole("button", { name: "Make the key" }).click()
        const key = await page.getByRole("textbox", { name: "The key" }).inputValue()
        expect(key).toMatch(/^df_live_/u)
        await page.getByRole("button", { name: "I have copied it" }).click()
        await page.reload()
        await row("the robot").waitFor()
        expect(await page.content()).not.toContain(key)
        expect((await service.it.call("GET", "/flows", { key })).status).toBe(200)
        expect((await service.it.call("POST", "/runs/exec_1/cancel", { key })).status).toBe(403)

        await page.getByRole("button", { name: "Revoke the robot" }).click()
        await page.getByRole("dialog").getByRole("button", { name: "Keep it" }).click()
        expect((await service.it.call("GET", "/flows", { key })).status).toBe(200)
        await page.getByRole("button", { name: "Revoke the robot" }).click()
        await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click()
        await row("the robot").getByText("revoked").waitFor()
        await until("the key to be refused", async () =>
          (await service.it.call("GET", "/flows", { key })).status === 401 ? true : undefined
        )
      })
    })

    describe("executions", () => {
      it("are listed and filtered, and one shows its steps, output and evidence", async () => {
        const document = { base64: base64(await readFile("examples/invoice.pdf")), filename: "invoice.pdf" }
        const id = await run("invoice", {
          wait: true,
          timeout: 60_000,
          input: { document },
          metadata: { customer: "<b>42</b>" }
        })
        const other = await run("greet", await runOf({ wait: true }))
        await open(`/organizations/${tenant.id}`)
        await row(other).waitFor()
        await page.getByLabel("Flow").selectOption("invoice")
        await row(other).waitFor({ state: "detached" })
        await page.getByLabel("Status").selectOption("failed")
        await page.getByText("No executions found.").waitFor()
        await page.getByLabel("Status").selectOption("completed")
        await page.getByRole("link", { name: "invoice.pdf" }).click()
        await page.waitForURL(`**/executions/${id}`)

        await heading("invoice.pdf")
        await page.getByRole("link", { name: "invoice 1.0.0" }).waitFor()
        expect(await page.getByRole("status").innerText()).toBe("completed")
        expect(await page.getByText("invoice.pdf, application/pdf").count()).toBe(1)
        await page.getByText(/^rules \d+$/u).waitFor()
        expect((await cells("read")).slice(0, 2)).toEqual(["parse", "completed"])
        await page.getByText("Fields and their evidence as a table").click()
        const total = await page
          .getByRole("group", { name: "Fields", exact: true })
          .getByRole("row")
          .filter({ hasText: "totalAmount" })
          .getByRole("cell")
          .allInnerTexts()
        expect(total[1]).toMatch(/%/u)
        expect(total.slice(2, 4)).toEqual(["grounded", "1"])
        const output = await page.locator('pre[aria-label="Output as JSON"]').innerText()
        expect(JSON.parse(output)).toHaveProperty("totalAmount", Number(total[0]))
        expect(await page.getByRole("region", { name: "Metadata" }).last().innerText()).toContain("<b>42</b>")
      })

      it("that run show their progress by themselves, and can be cancelled", async () => {
        const id = await run("half", await runOf({ variables: { gate: "watched" } }))
        await open(`/executions/${id}`)
        await page.getByText("At step three").waitFor()
        await page.getByText("50 %").waitFor()
        await page.getByRole("button", { name: "Cancel" }).click()
        await page.getByRole("status").getByText("cancelled").waitFor()
        expect(await page.getByRole("button", { name: "Cancel" }).count()).toBe(0)
        await service.it.awaitStatus(tenant.live, id, "cancelled")
      })

      it("that end are shown as ended without a reload", async () => {
        const id = await run("hold", await runOf({ variables: { gate: "ending" } }))
        await open(`/executions/${id}`)
        await page.getByText("At step wait").waitFor()
        await page.getByText("No fields yet.").waitFor()
        service.it.gates.open("ending")
        await page.getByRole("status").getByText("completed").waitFor()
        await page.getByText('"passed"').waitFor()
      })

      it("that failed say why", async () => {
        const id = await run("boom-provider", await runOf({ wait: true }))
        await open(`/executions/${id}`)
        await page.getByText("PROVIDER_ERROR").waitFor()
        await page.getByText("the provider went boom").first().waitFor()
      })

      it("can be erased, after a question", async () => {
        const id = await run("greet", await runOf({ wait: true, metadata: { secret: "to be erased" } }))
        await open(`/executions/${id}`)
        await page.getByText("to be erased").waitFor()
        await page.waitForLoadState("networkidle")
        await page.getByRole("button", { name: "Erase" }).click()
        await page.getByRole("dialog").getByRole("button", { name: "Erase" }).click()
        await page.getByText("were erased").waitFor()
        expect(await page.getByText("to be erased").count()).toBe(0)
        const [row] = await service.it.rows(`select metadata from executions where id = '${id}'`)
        expect(row).toEqual({ metadata: null })
      })

      it("show every attempt of their webhook, and send it once more", async () => {
        let received = 0
        const receiver = createServer((request, response) => {
          received += 1
          request.resume()
          response.writeHead(received === 1 ? 204 : 410).end()
        }).listen(0, "127.0.0.1")
        await once(receiver, "listening")
        const address = receiver.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        const id = await run(
          "greet",
          await runOf({ wait: true, webhookUrl: `http://127.0.0.1:${port}/hook` }),
          tenant.test
        )
        await open(`/executions/${id}`)
        // The whole cell: "204" and "101 ms" next to each other also contain 410.
        const answered = (status: RegExp) =>
          page.getByRole("row").filter({ has: page.getByRole("cell", { name: status }) })
        await answered(/^204/u).waitFor()
        await page.getByRole("button", { name: "Redeliver" }).click()
        await answered(/^410/u).waitFor()
        expect(received).toBe(2)
        await new Promise((resolve) => receiver.close(resolve))
      })
    })

    it("fits a window of 400 pixels and is used with the keyboard alone", async () => {
      const window = await browser.it.open({ viewport: { width: 400, height: 800 } })
      await window.goto(await newLink(service.it))
      const widths = async () => [
        await window.evaluate<number>("document.documentElement.scrollWidth"),
        await window.evaluate<number>("document.activeElement?.tagName")
      ]
      await window.getByRole("link", { name: "tenant" }).last().focus()
      await window.keyboard.press("Enter")
      await window.getByRole("heading", { name: "Executions" }).waitFor()
      expect(await widths()).toEqual([400, "H1"])
      for (const tab of ["Keys", "Credits"]) {
        await window.getByRole("link", { name: tab, exact: true }).focus()
        await window.keyboard.press("Enter")
        await window
          .getByRole("region", { name: tab === "Keys" ? "Keys" : "Ledger" })
          .last()
          .waitFor()
        expect((await widths())[0]).toBe(400)
      }
      await window.context().close()
    })

    it("says that a page does not exist", async () => {
      await open("/nowhere")
      await heading("Page not found")
      await open("/executions/exec_none")
      await page.getByText("Execution not found").waitFor()
      browser.it.forgive(/404/u)
    })
  })
}
