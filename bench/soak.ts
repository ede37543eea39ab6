import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { rowsOf } from "../test/durability/Rows.ts"
import { startPostgres } from "../test/durability/Postgres.ts"
import { ServiceProcess } from "../test/durability/ServiceProcess.ts"
import { numberAt, textAt } from "../test/support/Json.ts"
import { manyPages } from "../test/fixtures/Pdfs.ts"
import { medianOf, rateOf } from "./SideBySide.ts"

/**
 * Runs the flow `invoice` at a part of the measured capacity for a long time, with documents and outputs that
 * expire at once, and shows the memory of the service, its open files and the sizes of the tables. The goals: the memory
 * grows by less than 1 MB in ten minutes after the first third, and files and tables do not grow.
 *
 * `node bench/soak.ts [--minutes 60] [--part 0.7]`
 */

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "60" }, part: { type: "string", default: "0.7" } }
})
const minutes = Number(values.minutes)
const part = Number(values.part)
const samples = 12
const mebibyte = 1024 * 1024

const folder = await mkdtemp(join(tmpdir(), "docflow-bench-"))
const postgres = await startPostgres()
const service = await ServiceProcess.start({ DATABASE_URL: postgres.url, DOCFLOW_DATA_DIR: folder })
const { key } = await service.makeOrganization({
  concurrentExecutions: 1_000,
  requestsPerMinute: 1_000_000,
  credits: 1_000_000,
  documentRetentionHours: 0,
  outputRetentionDays: 0
})
const base64 = Buffer.from(await manyPages(1)).toString("base64")
/** How many runs ended how: the status of the execution, or of the answer where there was none. */
const ends = new Map<string, number>()
const one = async () => {
  const { body, status } = await service.call("POST", "/api/v1/flows/invoice/run", {
    key,
    body: { wait: true, input: { document: { base64 } } }
  })
  const end = body.status ?? `answered ${status}`
  ends.set(end, (ends.get(end) ?? 0) + 1)
}

const memoryOf = async (): Promise<number> => {
  const status = await readFile(`/proc/${service.pid}/status`, "utf8")
  return Number(/VmRSS:\s+(\d+) kB/u.exec(status)?.[1] ?? 0) / 1024
}
const filesOf = async (): Promise<number> => (await readdir(`/proc/${service.pid}/fd`)).length
const tables = async (): Promise<ReadonlyMap<string, number>> => {
  const rows = await rowsOf(
    postgres.url,
    `select relname as name, pg_total_relation_size(relid)::float8 as size from pg_stat_user_tables order by size desc limit 8`
  )
  return new Map(rows.map((row) => [textAt(row, "name"), numberAt(row, "size") / mebibyte]))
}

// Until V8 has compiled what runs often, the capacity is half of what it is later.
await rateOf(one, 900, 8)
const capacity = await rateOf(one, 300, 16)
const rate = part * capacity
console.log(`capacity ${capacity.toFixed(1)} a second; ${rate.toFixed(1)} a second for ${minutes} minutes`)
console.log(
  `${"minute".padStart(8)}${"memory, MB".padStart(14)}${"files".padStart(8)}${"tables, MB".padStart(14)}`
)
const begun = performance.now()
let sent = 0
ends.clear()
const open = new Set<Promise<void>>()
const memory: Array<{ readonly at: number; readonly mb: number }> = []
const firstTables = await tables()
for (let sample = 1; sample <= samples; sample++) {
  const until = (sample * minutes * 60_000) / samples
  while (performance.now() - begun < until) {
    const due = Math.floor(((performance.now() - begun) / 1000) * rate)
    while (sent < due) {
      sent++
      const run = one().finally(() => open.delete(run))
      open.add(run)
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const at = (performance.now() - begun) / 60_000
  const mb = await memoryOf()
  memory.push({ at, mb })
  const size = [...(await tables()).values()].reduce((sum, each) => sum + each, 0)
  const cells = [at.toFixed(1).padStart(8), mb.toFixed(0).padStart(14), String(await filesOf()).padStart(8)]
  console.log(`${cells.join("")}${size.toFixed(1).padStart(14)}`)
}
const settled = memory.slice(Math.floor(samples / 3))
// The median slope of all pairs: a single full collection does not decide (Theil and Sen).
const slopes = settled.flatMap((early, index) =>
  settled.slice(index + 1).map((late) => (late.mb - early.mb) / (late.at - early.at))
)
await Promise.all(open)
console.log(`${sent} runs: ${[...ends].map(([end, count]) => `${count} ${end}`).join(", ")}`)
console.log(`memory after the first third: ${(10 * medianOf(slopes)).toFixed(2)} MB in ten minutes`)
for (const [name, size] of await tables()) {
  console.log(
    `${name.padEnd(28)}${(firstTables.get(name) ?? 0).toFixed(1).padStart(10)} → ${size.toFixed(1)} MB`
  )
}
await service.end("SIGTERM")
await postgres.stop()
await rm(folder, { recursive: true, force: true })
