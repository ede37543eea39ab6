import { mkdtemp, rm } from "node:fs/promises"
import { setTimeout } from "node:timers/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { drawPdf, linesAt } from "../test/document/DrawPdf.ts"
import { picturePdf, scanPage } from "../test/document/Scans.ts"
import { ServiceProcess } from "../test/durability/ServiceProcess.ts"
import { type MemoryOfProcess, memoryOfAll } from "./ServiceCpu.ts"

/**
 * Measures the memory of a service and of all its processes while it reads long scans (A4, 200 dpi, 45 lines) at the same time.
 * Shared pages are counted once, the embedded database is shown apart. Linux only.
 *
 * `node bench/scan-memory.ts [--pages 20] [--documents 2]`
 */

const { values } = parseArgs({
  options: { pages: { type: "string", default: "20" }, documents: { type: "string", default: "2" } }
})

const lines = Array.from(
  { length: 45 },
  (_, i) => `Line ${i} of a page that has as many words as a letter has`
)
const png = await scanPage(await drawPdf([{ texts: linesAt(60, 60, lines) }]))
const scan = await picturePdf(Array.from({ length: Number(values.pages) }, () => png))
const document = { base64: Buffer.from(scan).toString("base64") }

const folder = await mkdtemp(join(tmpdir(), "docflow-bench-"))
const service = await ServiceProcess.start({ DOCFLOW_DATA_DIR: folder })
const { key } = await service.makeOrganization({ concurrentExecutions: 10, credits: 1_000_000 })

const { pid: servicePid = 0 } = service

const kindOf = ({ command, pid }: MemoryOfProcess): string => {
  if (pid === servicePid) return "service"
  if (/postgres/u.test(command)) return "database"
  if (/Paddle/u.test(command)) return "recognition"
  return "readers"
}

const totals = (processes: ReadonlyArray<MemoryOfProcess>): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>()
  for (const one of processes) sums.set(kindOf(one), (sums.get(kindOf(one)) ?? 0) + one.mib)
  return sums
}
const sumOf = (sums: ReadonlyMap<string, number>): number => [...sums.values()].reduce((a, b) => a + b, 0)
const show = (name: string, sums: ReadonlyMap<string, number>): void => {
  const parts = [...sums].map(([kind, mib]) => `${kind} ${mib.toFixed(0)}`).join(", ")
  console.log(`${name}: ${sumOf(sums).toFixed(0)} MiB (${parts})`)
}

show("before", totals(await memoryOfAll(servicePid)))
const reading = new Set(Array.from({ length: Number(values.documents) }, (_, i) => i))
let most: ReadonlyMap<string, number> = new Map()
const begun = performance.now()
const runs = [...reading].map(async (one) => {
  const accepted = await service.call("POST", "/api/v1/flows/text/run", {
    key,
    body: { input: { document } }
  })
  const { id } = accepted.body
  if (id === undefined) throw new Error(`The scan was refused: ${JSON.stringify(accepted.body)}`)
  for (;;) {
    const { body } = await service.call("GET", `/api/v1/runs/${id}`, { key })
    if (body.status === "completed" || body.status === "failed") {
      console.log(`${body.status} after ${((performance.now() - begun) / 1000).toFixed(0)} s`)
      break
    }
    await setTimeout(1000)
  }
  reading.delete(one)
})
while (reading.size > 0) {
  const now = totals(await memoryOfAll(servicePid))
  if (sumOf(now) > sumOf(most)) most = now
  await setTimeout(250)
}
await Promise.all(runs)
show("at most", most)
show("after", totals(await memoryOfAll(servicePid)))
await service.end("SIGTERM")
await rm(folder, { recursive: true, force: true })
process.exit(0)
