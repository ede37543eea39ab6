import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { drawPdf } from "../document/DrawPdf.ts"
import { boxes, letter } from "./Letters.ts"
import { runHere } from "../support/CommandLine.ts"
import { base64 } from "../support/Documents.ts"
import { at, listAt, textAt } from "../support/Json.ts"
import type { Tenant } from "../support/TestService.ts"
import { expectError } from "../support/Expect.ts"
import { until } from "../support/Until.ts"
import { type Browser, hasChromium } from "./Browser.ts"
import type { Shared } from "./Shared.ts"
import { adminToken, newLink } from "./SignIn.ts"

/** How the command line is told of an organization. */
const of = ({ id }: Tenant): ReadonlyArray<string> => ["--organization", id]

/** One corrected document teaches the next ones of its layout. */
export const describeLearning = (service: Shared, browser: { readonly it: Browser }): void => {
  const run = async (key: string, document: string) => {
    const body = { wait: true, timeout: 60_000, input: { document: { base64: document } } }
    return (await service.it.call("POST", "/flows/learner/run", { key, body })).body
  }
  const open = async (path: string) => {
    const page = await browser.it.open()
    await page.goto(await newLink(service.it))
    await page.getByRole("link", { name: "docflow" }).waitFor()
    await page.goto(`${service.it.address}/dashboard${path}`)
    return page
  }
  describe("learning from corrections", () => {
    let owner: Tenant
    let stranger: Tenant
    let [taught, contested, first] = ["", "", ""]
    const nothing = { caseCode: null, due: null, day: null }

    beforeAll(async () => {
      owner = await service.it.tenant()
      stranger = await service.it.tenant()
      first = await letter("KX Sierra 7", "1.204,50 EUR", "03/04/2026")
      const ran = await run(owner.live, first)
      expect(at(ran, "output")).toEqual(nothing)
      taught = textAt(ran, "id")
      const values = [
        { path: "/caseCode", page: 1, bbox: boxes.caseCode },
        // Typed, without a box: the service looks for where it is printed.
        { path: "/day", value: "2026-03-04" },
        { path: "/due", page: 1, bbox: boxes.due, value: 1204.5 }
      ]
      const saved = await service.it.call("PUT", `/runs/${taught}/corrections`, {
        key: owner.live,
        body: { ifMatch: 0, values }
      })
      expect(at(saved.body, "output")).toEqual({ caseCode: "KX Sierra 7", due: 1204.5, day: "2026-03-04" })
    })

    it("counts at once: the next document of the layout is right, also where its lower part moved", async () => {
      const next = await run(owner.live, await letter("BB Tango 12", "88,10 EUR", "05/06/2026", 60))
      expect(at(next, "output")).toEqual({ caseCode: "BB Tango 12", due: 88.1, day: "2026-05-06" })
      const { body } = await service.it.call("GET", `/runs/${textAt(next, "id")}?include=artifacts`, {
        key: owner.live
      })
      expect(at(body, "artifacts.fields.fields.due")).toMatchObject({
        by: "examples",
        status: "grounded",
        page: 1,
        text: "88,10 EUR"
      })
    })

    it("tells a person what checked documents say, before and after another value is saved", async () => {
      contested = textAt(await run(owner.live, await letter("FF Xray 9", "75,00 EUR", "07/06/2026")), "id")
      const path = `/runs/${contested}/corrections`
      const { body: before } = await service.it.call("GET", path, { key: owner.live })
      const due = { path: "/due", value: 75, documents: [taught] }
      expect(listAt(before, "taught")).toContainEqual(due)
      const body = {
        ifMatch: 0,
        values: [
          { path: "/due", value: 57 },
          { path: "/caseCode", value: "FF Xray 9" }
        ]
      }
      const { body: after } = await service.it.call("PUT", path, { key: owner.live, body })
      const notes = listAt(after, "notes")
      expect(notes).toContainEqual({
        path: "/due",
        kind: "conflict",
        message: expect.stringContaining("A checked document of this supplier says 75; you say 57.")
      })
      expect(notes).toContainEqual(expect.objectContaining({ path: "/due", kind: "not-learned" }))
      expect(notes).toHaveLength(2)
      const back = { ifMatch: 1, reverted: ["/due", "/caseCode"] }
      await service.it.call("PUT", path, { key: owner.live, body: back })
    })

    it("tests another version on what was corrected, without what the documents themselves taught", async () => {
      const path = "/flows/learner/backtest?version=0.9.0"
      const ended = await until("the replays", async () => {
        const { body } = await service.it.call("POST", path, { key: owner.live })
        return at(body, "executions.0.status") === "running" ? undefined : body
      })
      const verdicts = listAt(ended, "executions.0.values").map((one) => [
        at(one, "path"),
        at(one, "verdict")
      ])
      expect(ended).toMatchObject({ version: "0.9.0", total: 1, next: null })
      expect(Object.fromEntries(verdicts)).toEqual({
        "/caseCode": "became-right",
        "/due": "stayed-wrong",
        "/day": "stayed-wrong"
      })
      const again = await service.it.call("POST", path, { key: owner.live })
      expect(at(again.body, "executions.0.replayId")).toBe(at(ended, "executions.0.replayId"))
      const settings = { DOCFLOW_URL: service.it.address, DOCFLOW_KEY: owner.live }
      const told = await runHere(settings, "runs", "backtest", "learner", "--flow-version", "0.9.0")
      expect(told.out).toMatch(/caseCode +0 +1 +0 +0 +0\n/u)
      expect(told.code).toBe(0)
      // No value became wrong, because there is none.
      const failed = await runHere(settings, "runs", "backtest", "learner", "--flow-version", "0.8.0")
      expect(failed).toMatchObject({ code: 1, out: expect.stringContaining("0 of 1 corrected documents") })
      const other = await runHere({ ...settings, DOCFLOW_KEY: stranger.live }, "runs", "backtest", "learner")
      expect(other).toMatchObject({ code: 0, out: expect.stringContaining("has been corrected yet") })
    })

    it.skipIf(!hasChromium)("is tested by a person, who sees what became right, and is warned", async () => {
      const page = await open(`/organizations/${owner.id}/backtest`)
      await page.getByLabel("Flow", { exact: true }).selectOption("learner")
      await page.getByLabel("Version").selectOption("0.9.0")
      await page.getByRole("button", { name: "Start the backtest" }).click()
      await page.getByText("Version 0.9.0: 1 of 1 corrected documents").waitFor()
      const fields = page.getByRole("group", { name: "Values by field" })
      await fields.getByRole("row", { name: "caseCode 0 1 0 0 0" }).waitFor()
      await page.getByText("No value became wrong.").waitFor()
      await page.getByLabel("Version").selectOption("0.8.0")
      await page.getByRole("button", { name: "Start the backtest" }).click()
      await page.getByRole("group", { name: "Problems by document" }).getByRole("link").waitFor()
      // A value that contradicts a checked document is told before it is saved.
      await page.goto(`${service.it.address}/dashboard/executions/${contested}`)
      await page.getByRole("button", { name: /^due/u }).click()
      await page.getByRole("button", { name: "Edit", exact: true }).click()
      const value = page.getByLabel("Value of due")
      await value.fill("57")
      await page.getByText("A checked document of this supplier says 75; you say 57.").waitFor()
      await value.fill("75")
      await expect.poll(() => page.getByText("A checked document of this supplier says").count()).toBe(0)
      await page.context().close()
    })

    it("proposes nothing for another layout", async () => {
      const texts = ["A note on gardening in May", "Plant beans 12 cm apart", "Water them twice"].map(
        (text, line) => ({ text, x: 90, y: 300 + 40 * line })
      )
      expect(at(await run(owner.live, base64(await drawPdf([{ texts }]))), "output")).toEqual(nothing)
    })

    it("reaches no other organization and no other environment", async () => {
      const document = await letter("BB Tango 12", "88,10 EUR", "05/06/2026")
      for (const key of [stranger.live, owner.test])
        expect(at(await run(key, document), "output")).toEqual(nothing)
    })

    it("is found by its keys among newer examples of other layouts, which share fewer", async () => {
      await service.it.rows(`
        insert into examples (id, organization_id, environment, step, flow_id, created_at, keys, words, fields)
        select 'ex_other_' || n, organization_id, environment, step, flow_id, now(), keys[1:2], '[]', '{}'
        from examples, generate_series(1, 60) n where execution_id = '${taught}'`)
      const next = await run(owner.live, await letter("EE Whiskey 5", "7,00 EUR", "09/10/2026"))
      expect(at(next, "output.caseCode")).toBe("EE Whiskey 5")
      await service.it.rows("delete from examples where id like 'ex_other_%'")
      expect(
        await service.it.rows("select 1 from example_keys where number not in (select number from examples)")
      ).toEqual([])
    })

    it("is listed with its document, fields and uses, and proposes nothing while it is switched off", async () => {
      // Uses are counted after the execution.
      const [example, ...others] = await until("the uses of the example", async () => {
        const { body } = await service.it.admin("GET", `/organizations/${owner.id}/examples`)
        const listed = listAt(body, "examples")
        return Number(at(listed[0], "uses")) < 3 ? undefined : listed
      })
      expect(others).toEqual([])
      expect(example).toMatchObject({ executionId: taught, flowId: "learner", step: "fields", uses: 3 })
      expect(listAt(example, "fields")).toContainEqual({
        name: "due",
        value: 1204.5,
        corrected: true,
        by: expect.stringMatching(/^key /u)
      })
      const path = `/examples/${textAt(example, "id")}`
      const document = await letter("CC Uniform 3", "9,00 EUR", "07/08/2026")
      await service.it.admin("PUT", path, { enabled: false })
      expect(at(await run(owner.live, document), "output")).toEqual(nothing)
      await service.it.admin("PUT", path, { enabled: true })
      expect(at(await run(owner.live, document), "output.caseCode")).toBe("CC Uniform 3")
      expectError(await service.it.admin("PUT", "/examples/ex_none", { enabled: true }), 404, "INVALID_INPUT")
    })

    it("is forgotten for one supplier and for one person", async () => {
      const mine = await service.it.tenant()
      const path = `/organizations/${mine.id}/examples`
      const exported = await service.it.admin("GET", `/organizations/${owner.id}/examples/export`)
      const [one] = listAt(exported.body, "examples")
      const words = ["somewhere", "else", "entirely"].map((text, line) => ({ text, x: 1, y: 1 + 9 * line }))
      const other = { ...Object(one), words }
      await service.it.admin("POST", `${path}/import`, { examples: [one, other] })
      const { body: all } = await service.it.admin("GET", path)
      expect(at(all, "total")).toBe(2)
      const like = textAt(
        listAt(all, "examples").find((found) => listAt(found, "fields").length > 0),
        "id"
      )
      const { body: alike } = await service.it.admin("GET", `${path}?like=${like}`)
      expect(at(alike, "total")).toBe(1)
      const by = textAt(one, "fields.due.by")
      const nobody = await service.it.admin("DELETE", `${path}?by=nobody`)
      expect(nobody.body).toEqual({ forgotten: 0 })
      const ofBoth = `${path}?like=${like}&by=${encodeURIComponent(by)}`
      expect((await service.it.admin("DELETE", ofBoth)).body).toEqual({ forgotten: 1 })
      expect(at((await service.it.admin("GET", path)).body, "total")).toBe(1)
      expect((await service.it.admin("DELETE", path)).body).toEqual({ forgotten: 1 })
    })

    it("is exported, and imported once by another organization, which governs it on its page", async () => {
      const other = await service.it.tenant()
      const exported = await service.it.admin("GET", `/organizations/${owner.id}/examples/export`)
      const path = `/organizations/${other.id}/examples`
      const [only] = listAt(exported.body, "examples")
      const body = { examples: [only, only] }
      expect((await service.it.admin("POST", `${path}/import`, body)).body).toEqual({ imported: 1 })
      expect((await service.it.admin("POST", `${path}/import`, body)).body).toEqual({ imported: 0 })
      const document = await letter("DD Victor 4", "10,00 EUR", "07/08/2026")
      expect(at(await run(other.live, document), "output.caseCode")).toBe("DD Victor 4")
      if (!hasChromium) return
      const page = await open(path)
      await page.getByText("3 fields").click()
      await page.getByText("KX Sierra 7").waitFor()
      await page.getByRole("button", { name: /^Switch off /u }).click()
      await page.getByRole("button", { name: /^Switch on /u }).waitFor()
      expect(at(await run(other.live, document), "output")).toEqual(nothing)
      await page.getByRole("button", { name: /^Delete /u }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
      await page.getByText("Nothing was learned yet.").waitFor()
      expect((await service.it.admin("POST", `${path}/import`, body)).body).toEqual({ imported: 1 })
      await page.reload()
      await page.getByRole("link", { name: "Its examples" }).click()
      await page.getByText("What was learned of one supplier").waitFor()
      await page.getByRole("button", { name: "Forget these" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Forget" }).click()
      await page.getByText("Nothing was learned yet.").waitFor()
      await page.context().close()
    })

    it("is listed, exported and imported by the command line, which also gives it as a test case", async () => {
      const administrator = { DOCFLOW_URL: service.it.address, DOCFLOW_ADMIN_TOKEN: adminToken }
      const examples = (...words: ReadonlyArray<string>) => runHere(administrator, "examples", ...words)
      const other = await service.it.tenant()
      expect((await examples("list", ...of(owner))).out).toMatch(/^ex_\S+ +learner +– +3 /mu)
      const exported = await examples("export", ...of(owner))
      const folder = await mkdtemp(join(tmpdir(), "docflow-examples-"))
      const file = join(folder, "examples.json")
      await writeFile(file, exported.out)
      expect((await examples("import", file, ...of(other))).out).toBe("Imported 1 examples into tenant\n")
      expect((await examples("import", file, ...of(other))).out).toContain("Imported 0 examples")
      await writeFile(file, "{}")
      expect(await examples("import", file, ...of(other))).toMatchObject({
        code: 1,
        error: expect.stringContaining("is not a file of examples")
      })
      const caller = { DOCFLOW_URL: service.it.address, DOCFLOW_KEY: owner.live }
      const testSet = (...words: ReadonlyArray<string>) =>
        runHere(caller, "runs", "test-set", taught, ...words)
      expect((await testSet()).out).toContain("caseCode: KX Sierra 7")
      expect((await testSet("--folder", join(folder, "without"))).error).toContain(
        "The document is not in it"
      )
      const allow = ["organizations", "export", owner.id, "on"] as const
      expect((await runHere(administrator, ...allow)).out).toBe(
        "Test cases of tenant now contain the document\n"
      )
      const tests = join(folder, "tests")
      expect(await testSet("--folder", tests)).toMatchObject({ code: 0, error: "" })
      expect((await testSet("--folder", tests)).error).toContain("already exists")
      expect(await readFile(join(tests, `${taught}.yaml`), "utf8")).toContain(`document: ${taught}.pdf`)
      expect(base64(await readFile(join(tests, `${taught}.pdf`)))).toBe(first)
      await rm(folder, { recursive: true })
    })

    it("is forgotten when the document that taught it is erased", async () => {
      await service.it.admin("DELETE", `/executions/${taught}`)
      expect(await service.it.rows(`select 1 from examples where execution_id = '${taught}'`)).toEqual([])
      const document = await letter("CC Uniform 3", "9,00 EUR", "07/08/2026")
      expect(at(await run(owner.live, document), "output")).toEqual(nothing)
    })
  })
}
