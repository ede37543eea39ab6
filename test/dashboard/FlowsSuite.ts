import { mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Settings } from "../../src/config/Config.ts"
import { pdf, runOf } from "../support/Documents.ts"
import { expectError } from "../support/Expect.ts"
import { at, listAt, textAt } from "../support/Json.ts"
import type { Tenant } from "../support/TestService.ts"
import { until } from "../support/Until.ts"
import { type Browser, hasChromium } from "./Browser.ts"
import type { Shared } from "./Shared.ts"
import { adminToken, cookieOf, newLink, signedIn, signIn } from "./SignIn.ts"

const textWith = (version: string, said: string, kind = "transform") =>
  [
    "docflow: 1",
    "id: written-here",
    `version: ${version} # the first`,
    "name: Written here",
    "description: A flow of this test.",
    "document: { formats: [application/pdf], maxFileSizeMB: 5, maxPages: 5 }",
    "credits: { perPage: 1 }",
    "steps:",
    "  - { id: slow, uses: transform, with: { value: kept } }",
    `  - { id: say, uses: ${kind}, with: { value: ${said} } }`,
    "output:",
    "  schema:",
    "    type: object",
    "    properties: { said: { type: string }, kept: { type: string } }",
    "  value: { said: '${{ steps.say }}', kept: '${{ steps.slow }}' }",
    ""
  ].join("\n")

/** A flow that runs the latest version of the other one. */
const callingText = textWith("1.0.0", '"${{ steps.slow.said }}"')
  .replaceAll("written-here", "calling")
  .replace(
    "uses: transform, with: { value: kept }",
    'uses: flow, with: { flow: written-here, document: "${{ input.document }}" }'
  )
  .replace("steps.slow }}", "steps.slow.kept }}")

/** A test set of two cases, of which one expects what the flow says. */
const setWith = (said: string): string =>
  `tests: 1\ncases:\n  - { document: a.pdf, expect: { kept: kept } }\n  - { name: b, document: a.pdf, expect: { said: ${said} } }\n`

/** With the version after the name, which an alias may then repeat. */
const nameFirst = (text: string): string => text.replace(/^(version: .*\n)(name: .*\n)/mu, "$2$1")

/** Flows seen, tried without being saved, and saved. */
export const describeFlows = (service: Shared, browser: { readonly it: Browser }): void => {
  describe("flows in the dashboard", () => {
    let tenant: Tenant
    let folder: string
    let ask: Awaited<ReturnType<typeof signedIn>>
    const drafts = (what: "" | "/check" | "/save", source: string) =>
      ask("POST", `/drafts${what}`, { body: { source } })
    const put = async (id: string, text: string) => {
      await mkdir(join(folder, id), { recursive: true })
      await writeFile(join(folder, id, "1.0.0.yaml"), text)
    }
    const listed = async (id: string) =>
      listAt((await ask("GET", "/flows")).body, "flows").find((flow) => at(flow, "id") === id)

    beforeAll(async () => {
      tenant = await service.it.tenant()
      folder = await service.it.run(Settings.pipe(Effect.map(({ flowsDir }) => flowsDir)))
      ask = await signedIn(service.it)
      await put("written-here", textWith("1.0.0", "hello"))
      await put("faulty", textWith("1.0.0", "hello", "transfrom").replace("written-here", "faulty"))
      await until("the files to be read", async () =>
        (await listed("faulty")) === undefined ? undefined : true
      )
    })
    // Other tests count the flows that are served.
    afterAll(async () => {
      for (const id of ["written-here", "faulty"]) await rm(join(folder, id), { recursive: true })
      await until("the files to be gone", async () =>
        (await listed("written-here")) === undefined ? true : undefined
      )
    })

    it("are listed with the problems of files that are not served", async () => {
      expect(await listed("faulty")).toMatchObject({ latest: null, versions: 1, problems: 1 })
      const { body } = await ask("GET", "/flows/faulty")
      expect(at(body, "problems")).toMatchObject([
        { line: 10, column: 22, path: "steps[1].uses", suggestion: 'Did you mean "transform"?' }
      ])
      expect(body).toMatchObject({ graph: null, schema: null, publishedAt: null })
      expect((await ask("GET", "/flows/written-here")).body).toMatchObject({
        graph: expect.arrayContaining([expect.objectContaining({ kind: "transform", branches: [] })]),
        schema: { output: { properties: { said: { type: "string" } } } },
        changes: { previous: null }
      })
      expectError(await ask("GET", "/flows/nothing"), 404, "INVALID_INPUT")
    })

    it("are not run by a form of another site, only by a page of the dashboard", async () => {
      const boundary = "between"
      const payer = { "x-docflow-organization": tenant.id, "x-docflow-environment": "test" }
      const countOf = async (id: string) =>
        (await service.it.rows(`select 1 from executions where organization_id = '${id}'`)).length
      const part = `--${boundary}\r\nContent-Disposition: form-data; name="document"; filename="a.pdf"\r\n\r\n`
      const sent = {
        headers: { ...payer, "content-type": `multipart/form-data; boundary=${boundary}` },
        raw: Buffer.concat([
          Buffer.from(part),
          Buffer.from(await pdf(), "base64"),
          Buffer.from(`\r\n--${boundary}--\r\n`)
        ])
      }
      const path = "/api/v1/flows/written-here/run"
      const cookie = cookieOf(await signIn(service.it, "token", adminToken))
      const forged = { ...sent, headers: { ...sent.headers, cookie } }
      expectError(await service.it.request("POST", path, forged), 403, "FORBIDDEN")
      expect(await countOf(tenant.id)).toBe(0)
      for (const own of [sent, { headers: payer, body: await runOf({}) }])
        expect(textAt((await ask("POST", path, own)).body, "id")).toMatch(/^exec_/u)
      expect(await countOf(tenant.id)).toBe(2)
      expectError(await ask("POST", path, { body: await runOf({}) }), 403, "FORBIDDEN")
    })

    it("run as drafts on behalf of an organization: by the dashboard alone, and without its webhooks", async () => {
      const draft = await drafts("", textWith("1.0.0", "changed"))
      const version = textAt(draft.body, "version")
      expect(version).toMatch(/^1\.0\.0-draft-[0-9a-f]{10}$/u)
      const run = await service.it.call("POST", "/flows/written-here/run", {
        key: tenant.test,
        body: { ...(await runOf({ wait: true })), webhookUrl: "http://127.0.0.1:9/" }
      })
      expect(at(run.body, "output")).toEqual({ said: "hello", kept: "kept" })
      const id = textAt(run.body, "id")
      const again = await ask("POST", `/api/v1/runs/${id}/replay`, { body: { version } })
      const made = await service.it.awaitStatus(tenant.test, textAt(again.body, "id"), "completed")
      expect(made).toMatchObject({
        version,
        output: { said: "changed", kept: "kept" }
      })
      const columns = "webhook_url, replay_of, reused_steps"
      const stored = `select ${columns} from executions where id = '${textAt(made, "id")}'`
      expect(await service.it.rows(stored)).toEqual([
        { webhook_url: null, replay_of: id, reused_steps: ["slow"] }
      ])
      // No key runs a draft by its version, and no list has it.
      const body = { ...(await runOf({})), version }
      const asked = await service.it.call("POST", "/flows/written-here/run", { key: tenant.live, body })
      expectError(asked, 404, "VERSION_NOT_FOUND")
      const replayed = await service.it.call("POST", `/runs/${id}/replay`, {
        key: tenant.test,
        body: { version }
      })
      expectError(replayed, 404, "VERSION_NOT_FOUND")
      const { body: shown } = await service.it.call("GET", "/flows/written-here", { key: tenant.live })
      expect(at(shown, "versions")).toEqual(["1.0.0"])
    })

    it.each([
      [
        "an alias",
        (text: string) => text.replace("name: W", "name: &v 1.0.0 # W").replace(": 1.0.0", ": *v")
      ],
      ["a block", (text: string) => text.replace(": 1.0.0 # the first", ": |-\n  1.0.0")]
    ])("are no drafts while the version is %s: a published version would run instead", async (_, change) => {
      const refused = await drafts("", change(nameFirst(textWith("1.0.0", "changed"))))
      expect(textAt(expectError(refused, 422, "VALIDATION_ERROR"), "message")).toContain(
        "Write it in one line"
      )
    })

    it.each([
      ["with a problem", textWith("2.0.0", "x", "transfrom"), "Line 10"],
      ["under a version that exists", textWith("1.0.0", "changed"), "for example to 1.0.1"],
      [
        "under a version that is too low",
        textWith("1.0.1", "x").replace(/, kept: .*\}/u, " }"),
        "2.0.0 or higher"
      ],
      ["of a draft", textWith("1.1.0-draft-0123456789", "x"), "version of its own"]
    ])("are not saved %s", async (_, text, reason) => {
      const refused = expectError(await drafts("/save", text), 422, "VALIDATION_ERROR")
      expect(textAt(refused, "message")).toContain(reason)
    })

    it("are saved once as a new version, and the audit log says who did", async () => {
      const text = textWith("1.0.1", "saved")
      const before = textAt((await drafts("", callingText)).body, "version")
      const answers = await Promise.all([drafts("/save", text), drafts("/save", text)])
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 422])
      const run = await service.it.call("POST", "/flows/written-here/run", {
        key: tenant.live,
        body: await runOf({ wait: true })
      })
      expect(at(run.body, "output.said")).toBe("saved")
      // A draft that was stored before runs the new version now: it has another version itself.
      const version = textAt((await drafts("", callingText)).body, "version")
      expect(version).not.toBe(before)
      const started = await ask("POST", "/api/v1/flows/calling/run", {
        headers: { "x-docflow-organization": tenant.id, "x-docflow-environment": "test" },
        body: { ...(await runOf({})), version }
      })
      const called = textAt(started.body, "id")
      expect(await service.it.awaitStatus(tenant.test, called, "completed")).toMatchObject({
        output: { said: "saved" }
      })
      const { body } = await service.it.admin("GET", "/audit?limit=20")
      expect(at(body, "entries")).toContainEqual(
        expect.objectContaining({ action: "flow.saved", actor: "session", subject: "written-here 1.0.1" })
      )
    })

    it("are saved only if the test sets that they name hold; the answer says which documents fail", async () => {
      const tests = join(folder, "tested", "tests")
      await mkdir(tests, { recursive: true })
      await writeFile(join(tests, "a.pdf"), Buffer.from(await pdf(), "base64"))
      const named = textWith("1.0.0", "new")
        .replaceAll(/written-here|Written here/gu, "tested")
        .replace("steps:", "tests: [said.yaml]\nsteps:")
      const refused = async () => expectError(await drafts("/save", named), 422, "VALIDATION_ERROR")
      expect(textAt(await refused(), "message")).toContain("said.yaml: The file cannot be read")
      await writeFile(join(tests, "said.yaml"), setWith("old"))
      const reasons = textAt(await refused(), "message")
      expect(reasons).toContain("said.yaml: 50.0 % of the expectations hold")
      expect(reasons).toContain('b: said: expected "old", got "new"')
      expect(reasons).not.toContain("a.pdf: kept")
      await writeFile(join(tests, "said.yaml"), setWith("new"))
      expect((await drafts("/save", named)).status).toBe(201)
    })

    it.skipIf(!hasChromium)("are changed, tried and saved in the browser", async () => {
      const page: Page = await browser.it.open()
      await page.goto(await newLink(service.it))
      await page.getByRole("link", { name: "Flows" }).click()
      await page
        .getByRole("row")
        .filter({ hasText: "faulty" })
        .getByText("1", { exact: true })
        .last()
        .waitFor()
      await page.getByRole("link", { name: "Written here" }).click()
      await page.getByRole("group", { name: "Graph" }).getByRole("listitem").first().waitFor()
      await page.goto(`${service.it.address}/dashboard/organizations/${tenant.id}/try`)
      await page.getByLabel("Flow", { exact: true }).selectOption("written-here")
      await page.getByLabel("Edit the flow").check()
      const editor = page.getByRole("textbox", { name: "The flow as YAML" })
      const write = async (text: string) => {
        await editor.click()
        await page.keyboard.press("ControlOrMeta+A")
        await page.keyboard.insertText(text)
      }
      await write("docflow: 1\nid: a\nsteps:\n  - id: x\n    uses: tran")
      await page.keyboard.press("Control+Space")
      const option = page.getByRole("option", { name: "transform" })
      await option.waitFor()
      await option.click()
      await editor.getByText("uses: transform").waitFor()
      await write(textWith("1.0.2", "bad", "transfrom"))
      await page.getByText("Unknown step kind").first().waitFor()
      expect(await page.getByRole("button", { name: "Save as a new version" }).isDisabled()).toBe(true)
      await write(textWith("1.0.2", "first try"))
      await page.getByText("No problems.").waitFor()
      const buffer = Buffer.from(await pdf(), "base64")
      await page
        .locator('input[type="file"]')
        .setInputFiles({ name: "a.pdf", mimeType: "application/pdf", buffer })
      const output = page.getByRole("region", { name: "Output" })
      await output.getByText("first try").waitFor()
      // The viewer below the editor has keys of its own: a letter each, and Enter.
      await editor.click()
      await page.keyboard.press("ControlOrMeta+A")
      await page.keyboard.type("# a pane\nend")
      await editor.getByText("# a pane").waitFor()
      await editor.getByText("end", { exact: true }).waitFor()
      await write(textWith("1.0.2", "second try"))
      await page.getByRole("button", { name: "Run on the same document" }).click()
      await output.getByText("second try").waitFor()
      expect(await listed("written-here")).toMatchObject({ latest: { version: "1.0.1" } })
      await page.getByText("No problems.").waitFor()
      await page.getByRole("button", { name: "Save as a new version" }).click()
      await page.waitForURL("**/flows/written-here?version=1.0.2")
      await page.getByRole("group", { name: "Graph" }).getByRole("listitem").first().waitFor()
      const changes = page.getByRole("region", { name: "Lines that differ from 1.0.1" })
      await changes.locator("ins").filter({ hasText: "second try" }).waitFor()
      await changes.locator("del").filter({ hasText: "saved" }).waitFor()
      await page.getByLabel("Compare with").selectOption("1.0.0")
      await page.getByRole("region", { name: "Lines that differ from 1.0.0" }).waitFor()
      await page.context().close()
      // The editor keeps the Content-Security-Policy.
      expect(browser.it.watched.errors).toEqual([])
    })
  })
}
