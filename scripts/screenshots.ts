/**
 * Takes pictures of the dashboard's pages with a service of its own and the example documents. Needs /usr/bin/chromium.
 *
 *   npm run screenshots                      the pictures that the documentation shows, in docs/screenshots
 *   npx node scripts/screenshots.ts FOLDER   every page, light, dark and 390 pixels wide, into a folder
 *   npx node scripts/screenshots.ts FOLDER execution dark   only pages whose name begins so, in one look
 *
 * Reports pages that are wider than the window, and messages of the browser.
 */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Browser, chromium, type Page } from "playwright-core"
import sharp from "sharp"
import { adminTokenOfProcess, ServiceProcess } from "../test/durability/ServiceProcess.ts"

const [folder, only = "", onlyLook = ""] = process.argv.slice(2)

const looks = [
  { name: "light", colorScheme: "light", viewport: { width: 1280, height: 900 } },
  { name: "dark", colorScheme: "dark", viewport: { width: 1280, height: 900 } },
  { name: "phone", colorScheme: "light", viewport: { width: 390, height: 844 } }
] as const
type Look = (typeof looks)[number]

/** A page of the dashboard. */
interface Shot {
  readonly name: string
  readonly path: string
  /** What is done before the picture is taken. */
  readonly act?: (page: Page) => Promise<void>
  /** Shown in the documentation. */
  readonly inDocs?: true
  readonly signedOut?: true
}

const call = async (service: ServiceProcess, method: string, path: string, body: unknown, key?: string) => {
  const { body: answer, status } = await service.call(method, path, {
    body,
    ...(key === undefined ? {} : { key })
  })
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}`)
  return answer
}

/** An organization with executions of several kinds, a corrected one among them, and one without any. */
const fill = async (service: ServiceProcess) => {
  const admin = "/api/admin/v1/organizations"
  const { id } = await call(service, "POST", admin, { name: "Harbour Office", plan: "pro", credits: 500 })
  const { id: empty } = await call(service, "POST", admin, { name: "New Branch", plan: "free", credits: 0 })
  const makeKey = async (environment: string) =>
    (
      await call(service, "POST", `${admin}/${id}/keys`, {
        name: `mail room, ${environment}`,
        environment,
        scopes: ["flows:read", "flows:execute", "executions:read", "corrections:read", "corrections:write"]
      })
    ).key
  const [live, test] = [await makeKey("live"), await makeKey("test")]
  const run = async (flow: string, file: string, key = live) => {
    const document = { base64: await readFile(`examples/${file}`, "base64"), filename: file }
    const path = `/api/v1/flows/${flow}/run`
    const made = await service.call("POST", path, { key, body: { wait: true, input: { document } } })
    return made.body.id
  }
  const text = await run("text", "invoice.pdf", test)
  const failed = await run("contract-summary", "invoice.pdf")
  const invoice = await run("invoice", "invoice.pdf")
  const corrected = await run("invoice", "invoice.pdf")
  await call(
    service,
    "PUT",
    `/api/v1/runs/${corrected}/corrections`,
    { ifMatch: 0, values: [{ path: "/vendorName", value: "Northwind Paper" }], confirmed: ["/totalAmount"] },
    live
  )
  return { id, empty, text, failed, invoice, corrected }
}

const chooseField = (name: string) => async (page: Page) => {
  await page.locator(".field-button").filter({ hasText: name }).click()
}

const openEditor = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "Edit" }).click()
  const editor = page.getByRole("textbox", { name: "The flow as YAML" })
  await editor.click()
  await page.keyboard.press("ControlOrMeta+End")
  await page.keyboard.insertText("\n    extra: ${{ steps.")
  await page.keyboard.press("Control+Space")
  await page.locator(".cm-tooltip-autocomplete li").first().waitFor()
}

const editInTry = async (page: Page): Promise<void> => {
  await page.getByLabel("Flow", { exact: true }).selectOption("invoice")
  await page.getByLabel("Edit the flow").check()
  await page.getByRole("textbox", { name: "The flow as YAML" }).waitFor()
  await page.locator('input[type="file"]').setInputFiles("examples/invoice.pdf")
  await page.locator(".place").first().waitFor({ state: "attached" })
}

/** Every page, in the order in which people meet them. */
const shotsOf = ({
  corrected,
  empty,
  failed,
  id,
  invoice,
  text
}: Awaited<ReturnType<typeof fill>>): ReadonlyArray<Shot> => {
  const own = `/organizations/${id}`
  const without = `/organizations/${empty}`
  return [
    { name: "sign-in", path: "", signedOut: true },
    { name: "organizations", path: "" },
    { name: "executions", path: own, inDocs: true },
    { name: "executions-empty", path: without },
    { name: "try", path: `${own}/try` },
    { name: "try-editor", path: `${own}/try`, act: editInTry },
    { name: "review", path: `${own}/review` },
    { name: "examples", path: `${own}/examples` },
    { name: "examples-empty", path: `${without}/examples` },
    { name: "keys", path: `${own}/keys` },
    { name: "keys-empty", path: `${without}/keys` },
    { name: "credits", path: `${own}/credits` },
    { name: "execution", path: `/executions/${invoice}`, act: chooseField("totalAmount"), inDocs: true },
    { name: "execution-corrected", path: `/executions/${corrected}`, act: chooseField("vendorName") },
    { name: "execution-text", path: `/executions/${text}` },
    { name: "execution-failed", path: `/executions/${failed}` },
    { name: "flows", path: "/flows", inDocs: true },
    { name: "flow", path: "/flows/invoice" },
    { name: "flow-editor", path: "/flows/invoice", act: openEditor, inDocs: true },
    { name: "usage", path: `${own}/usage` },
    { name: "usage-of-all", path: "/usage" },
    { name: "users", path: "/users" },
    { name: "not-found", path: "/nothing" }
  ]
}

const signIn = async (page: Page, address: string): Promise<void> => {
  await page.goto(`${address}/dashboard`)
  await page.getByLabel("Admin token").fill(adminTokenOfProcess)
  await page.keyboard.press("Enter")
  await page.getByRole("button", { name: "Sign out" }).waitFor()
}

const take = async (
  page: Page,
  address: string,
  shot: Shot,
  { name: look, viewport }: Look,
  into: string
): Promise<void> => {
  await page.goto(`${address}/dashboard${shot.path}`)
  await page.waitForLoadState("networkidle")
  await shot.act?.(page)
  await page.waitForLoadState("networkidle")
  await page.evaluate(
    "Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)))"
  )
  const width = await page.evaluate<number>("document.documentElement.scrollWidth")
  if (width > viewport.width) console.error(`${shot.name} is wider than the window in ${look}: ${width}`)
  const picture = await page.screenshot({ fullPage: folder !== undefined && shot.signedOut !== true })
  // Few colours are enough for pages, and take a third of the space.
  await sharp(picture)
    .png({ palette: true, effort: 10 })
    .toFile(join(into, `${shot.name}-${look}.png`))
}

const takeAll = async (
  browser: Browser,
  address: string,
  shots: ReadonlyArray<Shot>,
  { look, into }: { readonly look: Look; readonly into: string }
): Promise<void> => {
  const context = await browser.newContext({ ...look, locale: "en-GB", timezoneId: "UTC" })
  const page = await context.newPage()
  page.on("console", (message) => {
    if (message.type() === "error") console.error(`${page.url()}: ${message.text()}`)
  })
  page.on("pageerror", (error) => console.error(`${page.url()}: ${error.message}`))
  for (const shot of shots.filter(({ signedOut }) => signedOut === true))
    await take(page, address, shot, look, into)
  await signIn(page, address)
  for (const shot of shots.filter(({ signedOut }) => signedOut !== true)) {
    await take(page, address, shot, look, into).catch((cause: unknown) =>
      console.error(shot.name, look.name, cause)
    )
  }
  await context.close()
}

const data = await mkdtemp(join(tmpdir(), "docflow-screenshots-"))
const flows = join(data, "flows")
await cp("flows", flows, { recursive: true })
await mkdir(join(flows, "draft"))
await writeFile(join(flows, "draft", "1.0.0.yaml"), "docflow: 1\nid: draft\nversion: 1.0.0\nname: A draft\n")
const service = await ServiceProcess.start({ DOCFLOW_DATA_DIR: join(data, "data"), DOCFLOW_FLOWS_DIR: flows })
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] })
try {
  const into = folder ?? "docs/screenshots"
  await mkdir(into, { recursive: true })
  const all = shotsOf(await fill(service)).filter(({ name }) => name.startsWith(only))
  const shots = folder === undefined ? all.filter(({ inDocs }) => inDocs === true) : all
  const wanted = looks.filter(({ name }) => name.startsWith(folder === undefined ? "light" : onlyLook))
  for (const look of wanted) {
    await takeAll(browser, service.address, shots, { look, into })
  }
} finally {
  await browser.close()
  await service.end("SIGTERM")
  await rm(data, { recursive: true, force: true })
}
