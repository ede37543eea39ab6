/**
 * Makes `docs/dashboard.png`: starts the service in an empty folder, runs the flow `invoice` on `examples/invoice.pdf`, and
 * takes a picture of the execution's page. Needs /usr/bin/chromium: `npm run dashboard-picture`.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { chromium, type Page } from "playwright-core"
import sharp from "sharp"
import { adminTokenOfProcess, ServiceProcess } from "../test/durability/ServiceProcess.ts"

const width = 1200
const height = 1160

const runExample = async (service: ServiceProcess): Promise<string> => {
  const { key } = await service.makeOrganization({ name: "Contoso" })
  const base64 = await readFile(new URL("../examples/invoice.pdf", import.meta.url), "base64")
  const body = { input: { document: { base64, filename: "invoice.pdf" } }, wait: true }
  const answer = await service.call("POST", "/api/v1/flows/invoice/run", { key, body })
  if (answer.body.status !== "completed") throw new Error(`the run is ${answer.body.status}`)
  return answer.body.id
}

const showExecution = async (page: Page, address: string, id: string): Promise<void> => {
  await page.goto(`${address}/dashboard/executions/${id}`)
  await page.getByLabel("Admin token").fill(adminTokenOfProcess)
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { level: 1, name: /invoice/u }).waitFor()
  await page.getByText("totalAmount").first().waitFor()
  await page.waitForLoadState("networkidle")
}

const folder = await mkdtemp(join(tmpdir(), "docflow-picture-"))
const service = await ServiceProcess.start({ DOCFLOW_DATA_DIR: folder })
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu"]
})
try {
  const id = await runExample(service)
  const page = await browser.newPage({
    locale: "en-GB",
    timezoneId: "UTC",
    colorScheme: "light",
    viewport: { width, height }
  })
  await showExecution(page, service.address, id)
  const picture = await page.screenshot()
  await sharp(picture).png({ palette: true, effort: 10 }).toFile("docs/dashboard.png")
} finally {
  await browser.close()
  await service.end("SIGTERM")
  await rm(folder, { recursive: true, force: true })
}
