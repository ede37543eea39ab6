/**
 * Takes pictures of the dashboard's pages, light, dark and on a phone, with a service of its own and the example documents:
 * `npx node scripts/screenshots.ts [folder]`. Needs chromium.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Schema } from "effect"
import { chromium, type Page } from "playwright-core"

const folder = process.argv[2] ?? "docs/screenshots"
const only = process.argv[3]
const port = 4790
const address = `http://127.0.0.1:${port}`
const token = "the-admin-token-of-the-screenshots"

const looks = [
  { name: "light", colorScheme: "light", viewport: { width: 1280, height: 900 } },
  { name: "dark", colorScheme: "dark", viewport: { width: 1280, height: 900 } },
  { name: "phone", colorScheme: "light", viewport: { width: 390, height: 844 } }
] as const

const decodeText = Schema.decodeUnknownSync(Schema.Record(Schema.String, Schema.Unknown))

const json = async (response: Response) => {
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`)
  return decodeText(await response.json())
}

const post = (path: string, key: string, body: unknown) =>
  fetch(`${address}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body)
  }).then(json)

const startService = async (data: string): Promise<ChildProcess> => {
  const service = spawn(process.execPath, ["src/main.ts"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      DOCFLOW_PORT: String(port),
      DOCFLOW_DATA_DIR: data,
      DOCFLOW_ADMIN_TOKEN: token,
      DOCFLOW_FLOWS_DIR: "flows"
    }
  })
  for (let attempt = 0; attempt < 300; attempt++) {
    const ready = await fetch(`${address}/health/ready`).then(
      ({ ok }) => ok,
      () => false
    )
    if (ready) return service
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  service.kill()
  throw new Error("The service did not start")
}

/** An organization with a few executions; the pages to visit, by name. */
const fill = async (): Promise<ReadonlyArray<readonly [name: string, path: string]>> => {
  const { id } = await post("/api/admin/v1/organizations", token, {
    name: "Harbour Office",
    plan: "pro",
    credits: 500
  })
  const made = await post(`/api/admin/v1/organizations/${String(id)}/keys`, token, {
    name: "mail room",
    environment: "live",
    scopes: ["flows:read", "flows:execute", "executions:read"]
  })
  const key = String(made["key"])
  const run = async (flow: string, file: string) => {
    const base64 = (await readFile(file)).toString("base64")
    const document = { base64, filename: file.split("/").at(-1) }
    const run = await post(`/api/v1/flows/${flow}/run`, key, { wait: true, input: { document } })
    return String(run["id"])
  }
  const invoice = await run("invoice", "examples/invoice.pdf")
  return [
    ["organizations", ""],
    ["executions", `/organizations/${String(id)}`],
    ["execution", `/executions/${invoice}`],
    ["keys", `/organizations/${String(id)}/keys`]
  ]
}

const settle = async (page: Page): Promise<void> => {
  await page.waitForLoadState("networkidle")
  const field = page.locator(".field-button").first()
  if ((await field.count()) > 0) await field.click()
  await page.waitForLoadState("networkidle")
}

const data = await mkdtemp(join(tmpdir(), "docflow-screenshots-"))
const service = await startService(join(data, "data"))
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] })
try {
  await mkdir(folder, { recursive: true })
  const pages = await fill()
  for (const { name: look, ...options } of looks) {
    const context = await browser.newContext({ ...options, locale: "en-GB", timezoneId: "UTC" })
    const page = await context.newPage()
    page.on("console", (message) => {
      if (message.type() === "error") console.error(`${page.url()}: ${message.text()}`)
    })
    page.on("pageerror", (error) => console.error(`${page.url()}: ${error.message}`))
    await page.goto(`${address}/dashboard`)
    await page.getByLabel("Admin token").fill(token)
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Sign out" }).waitFor()
    for (const [name, path] of pages.filter(([name]) => only === undefined || name === only)) {
      await page.goto(`${address}/dashboard${path}`)
      await settle(page)
      const isWide =
        (await page.evaluate<number>("document.documentElement.scrollWidth")) > options.viewport.width
      if (isWide) console.error(`${name} is wider than the window in ${look}`)
      await page.screenshot({ path: join(folder, `${name}-${look}.png`), fullPage: look === "phone" })
    }
    await context.close()
  }
} finally {
  await browser.close()
  service.kill()
  await rm(data, { recursive: true, force: true })
}
