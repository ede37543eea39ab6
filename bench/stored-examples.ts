/**
 * What stored examples cost an extraction: the flow `invoice` from POST to the result on one service without examples and one
 * with many, in turns. The goal is at most 10 ms more with 10,000.
 *
 *   node bench/stored-examples.ts [--stored 10000] [--runs 60] [--postgres]
 *
 * The stored examples are those of the document itself with a part of their words replaced: 20 of its layout, and others that
 * share a tenth to six tenths of its words, so that many have to be looked at.
 */
import { Schema } from "effect"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ExportedExample } from "../src/domain/ExampleSummary.ts"
import { DocflowClient, documentOf } from "../src/client/index.ts"
import { startPostgres } from "../test/durability/Postgres.ts"
import { adminTokenOfProcess, ServiceProcess } from "../test/durability/ServiceProcess.ts"
import { medianOf } from "./SideBySide.ts"

const option = (name: string, fallback: string): string => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : (process.argv[at + 1] ?? fallback)
}
const stored = Number(option("stored", "10000"))
const runs = Number(option("runs", "60"))
const goal = 10
const ofSameLayout = 20

/** Numbers from 0 to 1, the same in every run (Mulberry32). */
let state = 1
const random = (): number => {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

const otherWord = () =>
  Math.floor(random() * 1e9)
    .toString(36)
    .replaceAll(/\d/gu, "q")

/** The example of another layout, which keeps a share of the words. */
const varied = (example: ExportedExample, n: number): ExportedExample => {
  const kept = n < ofSameLayout ? 1 : 0.1 + 0.5 * random()
  return {
    ...example,
    createdAt: new Date(1_700_000_000_000 + n * 1000).toISOString(),
    words: example.words.map((word) => (random() < kept ? word : { ...word, text: otherWord() }))
  }
}

const decodeExport = Schema.decodeUnknownSync(Schema.Struct({ examples: Schema.Array(ExportedExample) }))

const invoice = await readFile("examples/invoice.pdf")
const document = documentOf(invoice)

const folders: Array<string> = []
const databases: Array<Awaited<ReturnType<typeof startPostgres>>> = []

const start = async () => {
  const folder = await mkdtemp(join(tmpdir(), "docflow-bench-"))
  folders.push(folder)
  const settings: Record<string, string> = { DOCFLOW_DATA_DIR: folder, DOCFLOW_FLOWS_DIR: "flows" }
  if (process.argv.includes("--postgres")) {
    const postgres = await startPostgres()
    databases.push(postgres)
    settings["DATABASE_URL"] = postgres.url
  }
  const service = await ServiceProcess.start(settings)
  const { organizationId } = await service.makeOrganization()
  const made = await service.call("POST", `/api/admin/v1/organizations/${organizationId}/keys`, {
    body: {
      name: "bench",
      environment: "live",
      scopes: ["flows:execute", "executions:read", "corrections:read", "corrections:write"]
    }
  })
  const client = new DocflowClient({ apiKey: made.body.key, baseUrl: `${service.address}/api/v1` })
  return { service, client, organizationId }
}

const administer = async (service: ServiceProcess, path: string, body?: unknown) => {
  const response = await fetch(`${service.address}/api/admin/v1${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${adminTokenOfProcess}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  if (!response.ok) throw new Error(await response.text())
  return response.json()
}

/** Corrects one document, and stores what it taught as often as asked for. */
const fill = async ({ client, organizationId, service }: Awaited<ReturnType<typeof start>>) => {
  const { id } = await client.runToEnd("invoice", { input: { document } })
  await client.saveCorrections(id, {
    ifMatch: 0,
    values: [{ path: "/vendorName", value: "Northwind Paper" }],
    confirmed: ["/invoiceNumber", "/invoiceDate", "/dueDate", "/totalAmount", "/subtotal", "/taxAmount"]
  })
  const path = `/organizations/${organizationId}/examples`
  const [taught] = decodeExport(await administer(service, `${path}/export`)).examples
  if (taught === undefined) throw new Error("the correction taught nothing")
  const startedAt = performance.now()
  for (let from = 0; from < stored; from += 100) {
    const part = Array.from({ length: Math.min(100, stored - from) }, (_, n) => varied(taught, from + n))
    await administer(service, `${path}/import`, { examples: part })
  }
  const seconds = (performance.now() - startedAt) / 1000
  console.log(
    `imported ${stored} examples in ${seconds.toFixed(1)} s, ${(stored / seconds).toFixed(0)} a second`
  )
}

const timeOf = async (client: DocflowClient): Promise<number> => {
  const startedAt = performance.now()
  await client.runToEnd("invoice", { input: { document } })
  return performance.now() - startedAt
}

const without = await start()
const many = await start()
await fill(many)
const times: { readonly without: Array<number>; readonly many: Array<number> } = { without: [], many: [] }
for (let run = -10; run < runs; run++) {
  const [first, second] = [await timeOf(without.client), await timeOf(many.client)]
  if (run < 0) continue
  times.without.push(first)
  times.many.push(second)
}
const more = medianOf(times.many.map((time, run) => time - (times.without[run] ?? 0)))
const [before, after] = [medianOf(times.without), medianOf(times.many)]
console.log(`${runs} runs of invoice in turns, from POST to the result, median`)
console.log(`  without examples          ${before.toFixed(1)} ms`)
console.log(
  `  with ${String(stored).padStart(6)} stored        ${after.toFixed(1)} ms   ratio ${(after / before).toFixed(2)}`
)
console.log(`  more, median of pairs     ${more.toFixed(1)} ms   (goal: at most ${goal})`)

await Promise.all([without, many].map(({ service }) => service.end("SIGTERM")))
await Promise.all(databases.map((database) => database.stop()))
await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
process.exitCode = more <= goal ? 0 : 1
