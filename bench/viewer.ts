/**
 * How soon the viewer shows the first page of a long PDF, and how many pages it fetches: 300 pages and one page in turns, in
 * Chromium. The goal is one second to the first page, and only pages that are nearly in sight.
 *
 *   node bench/viewer.ts [--pages 300] [--rounds 5]
 *
 * The time is from opening the address to the first picture with its text layer. The first round of a document is cold: the
 * service has not rendered any of its pages. Each round has a browser window without a cache.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { chromium } from "playwright-core"
import { DocflowClient, documentOf } from "../src/client/index.ts"
import { adminTokenOfProcess, ServiceProcess } from "../test/durability/ServiceProcess.ts"
import { manyPages } from "../test/fixtures/Pdfs.ts"
import { medianOf } from "./SideBySide.ts"

const option = (name: string, fallback: number): number => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1] ?? fallback)
}
const long = option("pages", 300)
const rounds = option("rounds", 5)
const goal = 1000

const folder = await mkdtemp(join(tmpdir(), "docflow-bench-"))
const service = await ServiceProcess.start({ DOCFLOW_DATA_DIR: folder, DOCFLOW_FLOWS_DIR: "flows" })
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] })
const { key } = await service.makeOrganization()
const client = new DocflowClient({ apiKey: key, baseUrl: `${service.address}/api/v1` })

/** Opens the page of an execution in a new window; how long it took, and what was fetched. */
const visit = async (execution: string, pageCount: number) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  await page.goto(`${service.address}/dashboard`)
  await page.getByLabel("Admin token").fill(adminTokenOfProcess)
  await page.keyboard.press("Enter")
  await page.getByRole("button", { name: "Sign out" }).waitFor()
  const pictures = new Set<string>()
  page.on("request", (request) => {
    const picture = /\/pages\/(\d+)\/picture/u.exec(request.url())?.[1]
    if (picture !== undefined) pictures.add(picture)
  })
  const startedAt = performance.now()
  await page.goto(`${service.address}/dashboard/executions/${execution}`, { waitUntil: "commit" })
  await page.locator('[data-page="1"] .text-layer text').first().waitFor({ state: "attached" })
  await page.locator('[data-page="1"] img').evaluate("(picture) => picture.decode()")
  const time = performance.now() - startedAt
  const first = pictures.size
  await page.locator(".pages").evaluate((pages) => pages.scrollTo(0, pages.scrollHeight))
  await page.locator(`[data-page="${pageCount}"] img`).waitFor()
  const last = pictures.size
  await context.close()
  return { time, first, last }
}

const documents = await Promise.all(
  // The short one first, so that the long one does not pay for the start of the browser and of the program that draws.
  [1, long].map(async (pageCount) => {
    const document = documentOf(await manyPages(pageCount))
    const { id } = await client.runToEnd("text", { input: { document } })
    return { pageCount, id, visits: new Array<Awaited<ReturnType<typeof visit>>>() }
  })
)
for (let round = 0; round < rounds; round++) {
  for (const { id, pageCount, visits } of documents) visits.push(await visit(id, pageCount))
}
console.log("document     first visit   median   pictures at first   after scrolling to the end")
for (const { pageCount, visits } of documents) {
  const cells = [
    `${pageCount} pages`.padEnd(10),
    `${(visits[0]?.time ?? 0).toFixed(0)} ms`.padStart(13),
    `${medianOf(visits.map(({ time }) => time)).toFixed(0)} ms`.padStart(8),
    String(Math.max(...visits.map(({ first }) => first))).padStart(19),
    String(Math.max(...visits.map(({ last }) => last))).padStart(28)
  ]
  console.log(cells.join(" "))
}
const worst = documents[1]?.visits[0]?.time ?? 0
console.log(`first page of ${long} pages, cold: ${worst.toFixed(0)} ms (goal: at most ${goal})`)

await browser.close()
await service.end("SIGTERM")
await rm(folder, { recursive: true, force: true })
process.exitCode = worst <= goal ? 0 : 1
