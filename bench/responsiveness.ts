import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { allEnded } from "../test/durability/Ended.ts"
import { ServiceProcess, type Tenant } from "../test/durability/ServiceProcess.ts"
import { manyPages } from "../test/fixtures/Pdfs.ts"

/** How long `GET /flows` takes while the service is idle, and while it reads ten PDFs of 50 pages. */

const documents = 10
const pages = 50

const percentile = (times: ReadonlyArray<number>, part: number): number =>
  [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0

/** Calls `GET /flows` again and again until `isOver`; the times in milliseconds. */
const measure = async (service: ServiceProcess, tenant: Tenant, isOver: () => boolean) => {
  const times: Array<number> = []
  while (!isOver()) {
    const startedAt = performance.now()
    await service.call("GET", "/api/v1/flows", { key: tenant.key })
    times.push(performance.now() - startedAt)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return times
}

const report = (name: string, times: ReadonlyArray<number>): void => {
  const row = [0.5, 0.9, 0.99, 1].map((part) => percentile(times, part).toFixed(1).padStart(8))
  console.log(`${name.padEnd(28)} ${String(times.length).padStart(6)} ${row.join(" ")}`)
}

const folder = await mkdtemp(join(tmpdir(), "docflow-bench-"))
const service = await ServiceProcess.start({ DOCFLOW_DATA_DIR: folder })
const tenant = await service.makeOrganization()
const base64 = Buffer.from(await manyPages(pages)).toString("base64")
const run = () =>
  service.call("POST", "/api/v1/flows/invoice/run", {
    key: tenant.key,
    body: { input: { document: { base64 } } }
  })

await run()
await allEnded(service, tenant, 60_000)

const until = performance.now() + 3_000
const idle = await measure(service, tenant, () => performance.now() > until)

let over = false
const startedAt = performance.now()
const work = Promise.all(Array.from({ length: documents }, run))
  .then(() => allEnded(service, tenant, 120_000))
  .finally(() => {
    over = true
  })
const busy = await measure(service, tenant, () => over)
await work

console.log(`GET /flows, milliseconds        calls      p50      p90      p99      max`)
report("idle", idle)
report(`reading ${documents} PDFs of ${pages} pages`, busy)
console.log(`all ${documents} documents took ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)

await service.end("SIGTERM")
await rm(folder, { recursive: true, force: true })
