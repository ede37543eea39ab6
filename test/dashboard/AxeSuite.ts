import { readFile } from "node:fs/promises"
import axe from "axe-core"
import { PDFDocument } from "pdf-lib"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { base64 } from "../support/Documents.ts"
import { addUser, removeUsers } from "../support/TestUsers.ts"
import { textAt } from "../support/Json.ts"
import { type Browser, hasChromium } from "./Browser.ts"
import type { Shared } from "./Shared.ts"
import { newLink } from "./SignIn.ts"

interface Violation {
  readonly impact: string
  readonly id: string
  readonly nodes: ReadonlyArray<{ readonly html: string }>
}

/** What people with assistive technology would stumble over, by axe. */
export const describeAxe = (service: Shared, browser: { readonly it: Browser }): void => {
  describe.skipIf(!hasChromium)("axe finds nothing serious", () => {
    let page: Page
    const ids = new Map<string, string>()

    beforeAll(async () => {
      const tenant = await service.it.tenant()
      const document = { base64: base64(await readFile("examples/invoice.pdf")), filename: "invoice.pdf" }
      await addUser(service.it, "axe", "viewer")
      const body = { wait: true, timeout: 60_000, input: { document } }
      const run = await service.it.call("POST", "/flows/invoice/run", { key: tenant.live, body })
      const [id, organization] = [textAt(run.body, "id"), tenant.id]
      await service.it.call("PUT", `/runs/${id}/corrections`, {
        key: tenant.live,
        body: { ifMatch: 0, confirmed: ["/totalAmount"] }
      })
      const pages = await PDFDocument.create()
      for (let page = 0; page < 6; page++) pages.addPage()
      const long = await service.it.call("POST", "/flows/invoice/run", {
        key: tenant.live,
        body: { ...body, input: { document: { base64: base64(await pages.save()) } } }
      })
      ids.set("id", id).set("organization", organization).set("long", textAt(long.body, "id"))
      page = await browser.it.open()
      await page.goto(await newLink(service.it))
      await page.getByRole("heading", { name: "Organizations" }).waitFor()
    })
    afterAll(async () => {
      await removeUsers(service.it)
      await page.context().close()
    })

    const violations = async (rules: string) => {
      await page.evaluate(axe.source)
      const found = await page.evaluate<{ readonly violations: ReadonlyArray<Violation> }>(
        `axe.run({ resultTypes: ["violations"], ${rules} })`
      )
      return found.violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)
    }

    it.each([
      ["", "h1"],
      ["/organizations/{organization}", "tbody tr"],
      ["/organizations/{organization}/try", "input[type=file]"],
      ["/organizations/{organization}/review", ".card h2"],
      ["/organizations/{organization}/examples", "tbody tr"],
      ["/organizations/{organization}/keys", "tbody tr"],
      ["/organizations/{organization}/credits", "tbody tr"],
      ["/organizations/{organization}/models", "form"],
      ["/organizations/{organization}/usage", ".chart"],
      ["/usage", ".chart"],
      ["/users", "tbody tr"],
      ["/flows", "tbody tr"],
      ["/flows/greet", ".diff"],
      ["/executions/{id}", ".place"],
      ["/executions/{long}", ".frame .quiet"],
      ["/account", "main p"]
    ])("on %s, light and dark", async (path, sign) => {
      await page.emulateMedia({ colorScheme: "light" })
      const own = path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => ids.get(name) ?? "")
      await page.goto(`${service.it.address}/dashboard${own}`)
      await page.locator(sign).first().waitFor({ state: "attached" })
      expect(await violations("")).toEqual([])
      await page.emulateMedia({ colorScheme: "dark" })
      expect(await violations('runOnly: ["color-contrast"]')).toEqual([])
    })

    it("in the editor of a flow", async () => {
      await page.goto(`${service.it.address}/dashboard/flows/invoice`)
      await page.getByRole("button", { name: "Edit" }).click()
      await page.getByRole("textbox", { name: "The flow as YAML" }).waitFor()
      expect(await violations("")).toEqual([])
    })
  })
}
