import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startPostgres } from "../test/durability/Postgres.ts"
import { ServiceProcess } from "../test/durability/ServiceProcess.ts"
import { cpuTimeOf, cpuTimeOfPostgres } from "./ServiceCpu.ts"

/**
 * One-page invoices through the API with `wait`, 16 at once, in both databases: how many a second, with the client and the
 * database on the same cores, and the CPU time of each part; measured once V8 has compiled what is used, which takes some
 * 20 s, and for comparison at the start. The goal is 80 a second on two cores.
 *
 * `node bench/invoices.ts [invoices] [file]`
 *
 * `NODE_OPTIONS="--cpu-prof --cpu-prof-dir=profiles"` writes a profile of every process.
 */

const count = Number(process.argv[2] ?? 500)
const file = process.argv[3] ?? "examples/invoice.pdf"
const atOnce = 16
/** Invoices that pass before the measurement: with fewer, a third of the time goes into compiling. */
const warmUp = 1_200

const measure = async (name: string, databaseUrl?: string): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "docflow-bench-"))
  const service = await ServiceProcess.start({
    DOCFLOW_DATA_DIR: folder,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl })
  })
  const { key } = await service.makeOrganization({ requestsPerMinute: 1_000_000 })
  const body = { wait: true, input: { document: { base64: (await readFile(file)).toString("base64") } } }
  const run = async () => {
    const answer = await service.call("POST", "/api/v1/flows/invoice/run", { key, body })
    if (answer.status !== 200) throw new Error(`The run was answered ${answer.status}`)
  }
  const runMany = async (number: number) => {
    let begun = 0
    const one = async () => {
      while (begun++ < number) await run()
    }
    await Promise.all(Array.from({ length: atOnce }, one))
  }
  const cpuNow = async () => {
    const { readers, service: own } = await cpuTimeOf(service.pid ?? 0)
    const client = process.cpuUsage()
    return {
      service: own,
      readers,
      database: databaseUrl === undefined ? 0 : await cpuTimeOfPostgres(databaseUrl),
      client: (client.user + client.system) / 1000
    }
  }

  const startedAt = performance.now()
  await runMany(count / 2)
  const atStart = (500 * count) / (performance.now() - startedAt)
  await runMany(Math.max(0, warmUp - count / 2))
  const [before, begun] = [await cpuNow(), performance.now()]
  await runMany(count)
  const [took, after] = [performance.now() - begun, await cpuNow()]
  const each = (part: keyof typeof before): string =>
    ((after[part] - before[part]) / count).toFixed(1).padStart(6)
  console.log(
    `${name.padEnd(12)}${((1000 * count) / took).toFixed(1).padStart(6)} a second; CPU ms each: service${each("service")}` +
      `, readers${each("readers")}, database${each("database")}, client${each("client")}` +
      `; at the start ${atStart.toFixed(1)} a second`
  )
  await service.end("SIGTERM")
  await rm(folder, { recursive: true, force: true })
}

const postgres = await startPostgres()
await measure("PostgreSQL", postgres.url)
await postgres.stop()
await measure("embedded")
