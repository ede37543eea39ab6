/**
 * Reads documents of several kinds with a service that has no more than so many MB, as in a container: whether it is killed, and how
 * much its processes have at once. Needs root, and control groups of memory (version 1 or 2).
 *
 * `node bench/needed-memory.ts [--limit 512] [--at-once 4] [--embedded]`
 */
import { setTimeout as sleep } from "node:timers/promises"
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { PDFDocument } from "pdf-lib"
import { drawPdf, linesAt } from "../test/document/DrawPdf.ts"
import { docx } from "../test/document/OfficeFiles.ts"
import { picturePdf, scanPage } from "../test/document/Scans.ts"
import { startPostgres } from "../test/durability/Postgres.ts"
import { ServiceProcess } from "../test/durability/ServiceProcess.ts"
import { memoryOfAll } from "./ServiceCpu.ts"

const { values } = parseArgs({
  options: {
    limit: { type: "string", default: "512" },
    "at-once": { type: "string", default: "4" },
    embedded: { type: "boolean", default: false }
  }
})

const [root, limitFile, eventsFile] = existsSync("/sys/fs/cgroup/memory")
  ? ["/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.oom_control"]
  : ["/sys/fs/cgroup", "memory.max", "memory.events"]
const group = join(root, `docflow-${process.pid}`)
mkdirSync(group)
writeFileSync(join(group, limitFile), String(Number(values.limit) * 1024 * 1024))
/** How many processes the system has killed. */
const killed = () => Number(/oom_kill (\d+)/u.exec(readFileSync(join(group, eventsFile), "utf8"))?.[1])

const invoice = await readFile("examples/invoice.pdf")
const lines = Array.from(
  { length: 45 },
  (_, i) => `Line ${i} of a page that has as many words as a letter has`
)
const picture = await scanPage(await drawPdf([{ texts: linesAt(60, 60, lines) }]))
const receipt = await scanPage(await readFile("examples/receipt.pdf"))
const large = await PDFDocument.load(invoice)
const noise = new Uint8Array(19_000_000)
for (let start = 0; start < noise.length; start += 65_536)
  crypto.getRandomValues(noise.subarray(start, start + 65_536))
await large.attach(noise, "attachment.bin")
const documents: ReadonlyArray<readonly [name: string, flow: string, bytes: Uint8Array, times: number]> = [
  ["invoices of a page", "invoice", invoice, 200],
  ["Word files", "text", docx("<w:p><w:r><w:t>Invoice 4711, total 119.00 EUR</w:t></w:r></w:p>"), 20],
  ["PDFs of 19 MB", "invoice", await large.save(), 10],
  ["photos of receipts", "receipt", receipt, 10],
  ["scanned invoices", "invoice", await picturePdf([await scanPage(invoice)]), 10],
  ["scans of 20 pages", "text", await picturePdf(Array.from({ length: 20 }, () => picture)), 2]
]

const postgres = values.embedded ? undefined : await startPostgres()
const folder = await mkdtemp(join(tmpdir(), "docflow-bench-"))
// In the group before the program starts, as in a container: V8 sizes its heap by what the group has.
const enter = `require("node:fs").writeFileSync("${group}/cgroup.procs",String(process.pid));process.execve(process.execPath,[process.execPath,"src/main.ts"])`
const service = await ServiceProcess.start(
  {
    DOCFLOW_DATA_DIR: folder,
    ...(postgres === undefined ? {} : { DATABASE_URL: postgres.url })
  },
  { args: ["-e", enter] }
)
const { key } = await service.makeOrganization({ concurrentExecutions: 100, credits: 1_000_000 })

let most = 0
let parts = ""
const over = new AbortController()
const watch = (async () => {
  while (!over.signal.aborted) {
    const all = await memoryOfAll(service.pid ?? 0)
    const sum = all.reduce((total, { mib }) => total + mib, 0)
    if (sum > most) {
      most = sum
      parts = all.map(({ mib }) => mib.toFixed(0)).join(" + ")
    }
    await sleep(100)
  }
})()

const runOne = async (flow: string, bytes: Uint8Array): Promise<string> => {
  const body = { input: { document: { base64: Buffer.from(bytes).toString("base64") } } }
  const run = await service.call("POST", `/api/v1/flows/${flow}/run`, { key, body })
  for (;;) {
    const { body: execution } = await service.call("GET", `/api/v1/runs/${run.body.id}`, { key })
    if (execution.status !== "pending" && execution.status !== "running")
      return execution.status || execution.error.code
    await sleep(200)
  }
}

for (const [name, flow, bytes, times] of documents) {
  most = 0
  const ends: Array<string> = []
  let left = times
  await Promise.all(
    Array.from({ length: Number(values["at-once"]) }, async () => {
      while (left-- > 0) ends.push(await runOne(flow, bytes).catch((error: unknown) => String(error)))
    })
  )
  const counts = [...Map.groupBy(ends, (end) => end)].map(([end, { length }]) => `${length} ${end}`)
  console.log(
    `${name}: ${counts.join(", ")}; at most ${most.toFixed(0)} MiB (${parts}); killed so far: ${killed()}`
  )
}
over.abort()
await watch
console.log(
  service.logs
    .split("\n")
    .filter((line) => /memory/iu.test(line))
    .slice(0, 3)
    .join("\n")
)
await service.end("SIGTERM")
await postgres?.stop()
rmdirSync(group)
await rm(folder, { recursive: true, force: true })
process.exit(0)
