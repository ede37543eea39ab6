import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { at, listAt, textAt } from "../support/Json.ts"
import type { Tenant } from "../support/TestService.ts"
import { type Browser, hasChromium } from "./Browser.ts"
import type { Shared } from "./Shared.ts"
import { newLink, signedIn } from "./SignIn.ts"

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** Executions, pages and credits of the last 30 days, and their charts. */
export const describeUsage = (service: Shared, browser: { readonly it: Browser }): void => {
  /** An execution of some days ago, as if it had ended early in the day. */
  const add = (id: string, environment: string, flow: string, daysAgo: number, pages: number) =>
    service.it.rows(
      `insert into executions (id, organization_id, environment, flow_id, version, status, created_at, ended_at,
         variables, page_count, step_count, charged)
       select 'exec_use_${id}_' || n, '${id}', '${environment}', '${flow}', '1.0.0', 'completed',
         at, at, '{}', ${pages}, 1, ${environment === "test" ? 0 : 1.5}
       from (select count(*) as n from executions) before, lateral (select
         date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - interval '${daysAgo} days' + n * interval '1 second' as at) time`
    )
  describe("the use of the last 30 days", () => {
    let tenant: Tenant
    let other: Tenant

    beforeAll(async () => {
      tenant = await service.it.tenant()
      other = await service.it.tenant()
      for (const [flow, days, pages] of [
        ["receipts", 2, 1],
        ["receipts", 2, 2],
        ["invoices", 2, 4],
        ["receipts", 29, 5],
        ["receipts", 30, 100]
      ] as const)
        await add(tenant.id, "live", flow, days, pages)
      await add(tenant.id, "test", "receipts", 2, 7)
      await add(other.id, "live", "receipts", 1, 9)
    })

    // They come from nowhere: the books would not balance.
    afterAll(() => service.it.rows("delete from executions where id like 'exec_use_%'"))

    it("is added up by flow, day and environment; what is older or of another organization does not count", async () => {
      const ask = await signedIn(service.it)
      const { body } = await ask("GET", `/usage?organizationId=${tenant.id}`)
      expect([textAt(body, "from"), textAt(body, "until")]).toEqual([daysAgo(29), daysAgo(0)])
      const use = (days: number, of: string, environment: string, executions: number, pages: number) => ({
        day: daysAgo(days),
        of,
        environment,
        executions,
        pages,
        credits: environment === "test" ? 0 : executions * 1.5
      })
      expect(at(body, "days")).toEqual([
        use(29, "receipts", "live", 1, 5),
        use(2, "invoices", "live", 1, 4),
        use(2, "receipts", "live", 2, 3),
        use(2, "receipts", "test", 1, 7)
      ])
      expect((await ask("GET", "/usage?organizationId=org_none")).status).toBe(404)
    })

    it("is added up by organization for all of them", async () => {
      const ask = await signedIn(service.it)
      const { body } = await ask("GET", "/usage")
      const own = listAt(body, "days").filter((use) => [tenant.id, other.id].includes(textAt(use, "of")))
      expect(
        own.map((use) => [at(use, "of"), at(use, "environment"), at(use, "executions"), at(use, "pages")])
      ).toEqual([
        [tenant.id, "live", 1, 5],
        [tenant.id, "live", 3, 7],
        [tenant.id, "test", 1, 7],
        [other.id, "live", 1, 9]
      ])
      expect(at(body, "names")).toMatchObject({ [tenant.id]: "tenant" })
    })

    it.skipIf(!hasChromium)("is drawn, divided by flow, and there as a table", async () => {
      const page = await browser.it.open({ viewport: { width: 390, height: 844 } })
      await page.goto(await newLink(service.it))
      await page.getByRole("heading", { name: "Organizations" }).waitFor()
      await page.goto(`${service.it.address}/dashboard/organizations/${tenant.id}/usage`)
      await page.getByText("Executions: 4").waitFor()
      await page.getByText("Pages: 12").waitFor()
      await page.getByText("Credits: 6").waitFor()
      const legend = await page.getByRole("listitem").allInnerTexts()
      expect(legend.map((text) => text.replaceAll(/\s+/gu, " "))).toEqual(["receipts 3", "invoices 1"])
      // Two days with executions: one bar of one flow, one of two.
      const chart = page.locator(".chart").first()
      expect(await chart.locator("rect.series-1").count()).toBe(2)
      expect(await chart.locator("rect.series-2").count()).toBe(1)
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390)

      await page.getByText("The numbers as a table").click()
      const rows = page.getByRole("table", { name: "Usage by day" }).getByRole("row")
      expect(await rows.count()).toBe(4)
      expect((await rows.nth(1).innerText()).split(/\s*\t\s*/u).slice(1)).toEqual(["receipts", "2", "3", "3"])

      await page.getByLabel("Environment").selectOption("test")
      await page.getByText("Pages: 7").waitFor()
      await page.getByLabel("Flow").selectOption("invoices")
      await page.getByText("Nothing was used of what you chose.").waitFor()
      await page.context().close()
    })

    it.skipIf(!hasChromium)("of models has a budget of tokens, and own keys that no page shows", async () => {
      await service.it.rows(
        `insert into usage_of_days values
             ('${tenant.id}', (now() at time zone 'UTC')::date, 'live', 'receipts', 'openai:gpt', 0, 0, 0, 1200, 340)`
      )
      const page = await browser.it.open({ viewport: { width: 390, height: 844 } })
      await page.goto(await newLink(service.it))
      await page.getByRole("heading", { name: "Organizations" }).waitFor()
      await page.goto(`${service.it.address}/dashboard/organizations/${tenant.id}/models`)
      const used = page.getByRole("table", { name: "Tokens by model and flow" }).getByRole("row").last()
      expect((await used.innerText()).split(/\s*\t\s*/u)).toEqual(["openai:gpt", "receipts", "1,200", "340"])
      await page.getByLabel("Tokens per month").fill("250000")
      await page.getByRole("button", { name: "Set the budget" }).click()
      await page.getByText("250,000").waitFor()
      await page.getByLabel("Provider", { exact: true }).fill("openai")
      await page.getByLabel("Key", { exact: true }).fill("sk-of-the-organization")
      await page.getByRole("button", { name: "Save the key" }).click()
      const own = page.getByRole("rowheader", { name: "openai", exact: true })
      await own.waitFor()
      await page.reload()
      await own.waitFor()
      expect(await page.content()).not.toContain("sk-of-the-organization")
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390)
      await page.getByRole("button", { name: "Remove the key for openai" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
      await page.getByText("No own keys.").waitFor()
      await page.context().close()
    })
  })
}
