import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePorts, type Postgres, startPostgres } from "../test/durability/Postgres.ts"
import { ServiceProcess } from "../test/durability/ServiceProcess.ts"
import { pdf } from "../test/support/Documents.ts"
import { cpuTimeOf, cpuTimeOfPostgres } from "./ServiceCpu.ts"
import { rateOf } from "./SideBySide.ts"

/**
 * What an execution costs in CPU time, with one process and with three that share a PostgreSQL, and how far that scales: the
 * inputs of the model in `docs/scaling.md`. CPU time does not depend on how many cores there are, rates do.
 *
 * `node bench/scaling.ts [executions a process]`
 */

const count = Number(process.argv[2] ?? 500)
/** How long the processes are watched while they do nothing, in milliseconds. */
const idleFor = 5_000
/** How long after a load they are not watched, in milliseconds. */
const settledAfter = 8_000
const atOnce = 32
const steps = `docflow: 1
id: three
version: 1.0.0
name: Three
document: { formats: [application/pdf] }
steps:
  - { id: a, uses: transform, with: { value: 1 } }
  - { id: b, uses: transform, with: { value: "\${{ steps.a + 1 }}" } }
  - { id: c, uses: transform, with: { value: "\${{ steps.b + 1 }}" } }
output: { value: { it: "\${{ steps.c }}" } }
`

/** Milliseconds of CPU time for an execution. */
interface Cost {
  readonly service: number
  readonly readers: number
  readonly postgres: number
}

const startNodes = async (folder: string, postgres: Postgres, nodes: number) => {
  const ports = await freePorts(nodes)
  return Promise.all(
    ports.map((port) =>
      ServiceProcess.start({
        DATABASE_URL: postgres.url,
        DOCFLOW_DATA_DIR: join(folder, "data"),
        DOCFLOW_FLOWS_DIR: join(folder, "flows"),
        ...(nodes > 1 ? { DOCFLOW_CLUSTER_HOST: "127.0.0.1", DOCFLOW_CLUSTER_PORT: String(port) } : {})
      })
    )
  )
}

const cpuNow = async (nodes: ReadonlyArray<ServiceProcess>, postgres: Postgres): Promise<Cost> => {
  const times = await Promise.all(nodes.map(({ pid = 0 }) => cpuTimeOf(pid)))
  return {
    service: times.reduce((sum, { service }) => sum + service, 0),
    readers: times.reduce((sum, { readers }) => sum + readers, 0),
    postgres: await cpuTimeOfPostgres(postgres.url)
  }
}

/** The cost of an execution of a flow, sent to the nodes in turn. */
const costOf = async (
  nodes: ReadonlyArray<ServiceProcess>,
  postgres: Postgres,
  flow: string,
  base64: string
): Promise<Cost> => {
  const [first] = nodes
  if (first === undefined) throw new Error("there is no node")
  const { key } = await first.makeOrganization({ requestsPerMinute: 1_000_000, credits: 1_000_000 })
  let sent = 0
  const one = async () => {
    const node = nodes[sent++ % nodes.length] ?? first
    const body = { wait: true, input: { document: { base64 } } }
    const answer = await node.call("POST", `/api/v1/flows/${flow}/run`, { key, body })
    if (answer.body.status !== "completed")
      throw new Error(`answered ${answer.status}, ${answer.body.status}`)
  }
  // Every process gets as many as a single one, so that it is as warm and shares statements as much.
  const load = () => rateOf(one, count * nodes.length, atOnce * nodes.length)
  await load()
  // What a process makes ready after its start, and what it still has to do for this load, is neither rest nor load.
  await new Promise((resolve) => setTimeout(resolve, settledAfter))
  const resting = await cpuNow(nodes, postgres)
  await new Promise((resolve) => setTimeout(resolve, idleFor))
  const before = await cpuNow(nodes, postgres)
  const begun = performance.now()
  await load()
  const took = performance.now() - begun
  const after = await cpuNow(nodes, postgres)
  // What the processes do all the time depends on the time, which three of them share two cores for, not on the load.
  const idle = (part: keyof Cost) => (before[part] - resting[part]) * (took / idleFor)
  const each = (part: keyof Cost) => (after[part] - before[part] - idle(part)) / (count * nodes.length)
  return { service: each("service"), readers: each("readers"), postgres: each("postgres") }
}

const print = (name: string, { postgres, readers, service }: Cost): void => {
  const cells = [service, readers, postgres].map((ms) => ms.toFixed(2).padStart(10))
  console.log(`${name.padEnd(36)}${cells.join("")}`)
}

const folder = await mkdtemp(join(tmpdir(), "docflow-bench-"))
for (const [id, text] of [
  ["three", steps],
  ["invoice", await readFile("flows/invoice/1.0.0.yaml", "utf8")]
] as const) {
  await mkdir(join(folder, "flows", id), { recursive: true })
  await writeFile(join(folder, "flows", id, "1.0.0.yaml"), text)
}
const documents = { three: await pdf(), invoice: (await readFile("examples/invoice.pdf")).toString("base64") }

console.log(`ms of CPU time for an execution        service   readers  PostgreSQL`)
const totals = new Map<string, number>()
for (const nodes of [1, 3]) {
  const postgres = await startPostgres()
  const started = await startNodes(folder, postgres, nodes)
  for (const flow of ["three", "invoice"] as const) {
    const cost = await costOf(started, postgres, flow, documents[flow])
    print(`${flow}, ${nodes} process${nodes === 1 ? "" : "es"}`, cost)
    totals.set(`${flow} ${nodes}`, cost.service + cost.readers)
  }
  await Promise.all(started.map((node) => node.end("SIGTERM")))
  await postgres.stop()
}
for (const flow of ["three", "invoice"] as const) {
  const [one = 0, three = 0] = [totals.get(`${flow} 1`), totals.get(`${flow} 3`)]
  console.log(
    `${flow}: three processes with a core each do ${((3 * one) / three).toFixed(2)} × one, if PostgreSQL keeps up`
  )
}
await rm(folder, { recursive: true, force: true })
