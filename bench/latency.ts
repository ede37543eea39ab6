import { Schema } from "effect"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startPostgres } from "../test/durability/Postgres.ts"
import { ServiceProcess } from "../test/durability/ServiceProcess.ts"
import { pdf } from "../test/support/Documents.ts"

/**
 * How soon an idle service does something, one request at a time: from a POST to the start of the first step, and a trivial
 * flow with `wait` to its answer. In both databases. The goals are a median of 5 ms and at most 50 ms in 99 of 100 cases for
 * the first step, and a median of 6 ms for the flow.
 *
 * `node bench/latency.ts [requests]`
 */

const count = Number(process.argv[2] ?? 200)
const flow = `docflow: 1
id: one
version: 1.0.0
name: One
document: { formats: [application/pdf] }
steps:
  - { id: a, uses: transform, with: { value: 1 } }
output: { value: { it: "\${{ steps.a }}" } }
`

const decodeStart = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ at: Schema.String, step: Schema.String }))
)

/** When the first step began, in milliseconds of the epoch, as the stream of a finished execution says. */
const firstStepAt = (stream: string): number => {
  const data = /^event: step\.started\ndata: (.*)$/mu.exec(stream)?.[1] ?? ""
  return Date.parse(decodeStart(data).at)
}

const partOf = (sorted: ReadonlyArray<number>, part: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(1).padStart(7)

const report = (name: string, times: ReadonlyArray<number>): void => {
  const sorted = times.toSorted((a, b) => a - b)
  console.log(`${name.padEnd(48)}p50 ${partOf(sorted, 0.5)} ms   p99 ${partOf(sorted, 0.99)} ms`)
}

const measure = async (name: string, settings: Record<string, string>): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "docflow-bench-"))
  await mkdir(join(folder, "flows/one"), { recursive: true })
  await writeFile(join(folder, "flows/one/1.0.0.yaml"), flow)
  const service = await ServiceProcess.start({
    DOCFLOW_DATA_DIR: join(folder, "data"),
    DOCFLOW_FLOWS_DIR: join(folder, "flows"),
    ...settings
  })
  const { key } = await service.makeOrganization({ requestsPerMinute: 1_000_000 })
  const base64 = await pdf()
  const run = (wait: boolean) =>
    service.call("POST", "/api/v1/flows/one/run", { key, body: { wait, input: { document: { base64 } } } })
  const starts: Array<number> = []
  const waits: Array<number> = []
  for (let request = 0; request < count * 2; request++) {
    const begun = performance.now()
    await run(true)
    const took = performance.now() - begun
    const sentAt = Date.now()
    const { body } = await run(false)
    const stream = await fetch(`${service.address}/api/v1/runs/${body.id}/events`, {
      headers: { authorization: `Bearer ${key}` }
    })
    const startedAt = firstStepAt(await stream.text())
    // The first half warms the service up.
    if (request < count) continue
    waits.push(took)
    starts.push(startedAt - sentAt)
  }
  report(`${name}, POST to the first step`, starts)
  report(`${name}, one step with wait`, waits)
  await service.end("SIGTERM")
  await rm(folder, { recursive: true, force: true })
}

const postgres = await startPostgres()
await measure("PostgreSQL", { DATABASE_URL: postgres.url })
await postgres.stop()
await measure("embedded", {})
