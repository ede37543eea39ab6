import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { ServiceProcess } from "../test/durability/ServiceProcess.ts"
import { manyPages } from "../test/fixtures/Pdfs.ts"
import { LeanClient, type Outcome } from "./LeanClient.ts"

/**
 * Measures how many runs a second the service takes and finishes, and sends three times as many for a while, in turns, because the
 * speed of a machine changes within a minute: what becomes of those that are refused, of those that are taken, of another
 * organization that looks at an execution of its own every 50 ms (all the time, because that is work to be done and no overload),
 * and of the memory. Client and service share the cores, so the capacity is also measured while the client sends as many further
 * requests to a bare server that refuses them: what the service loses beyond that, its own refusals cost.
 * `node bench/overload.ts [--seconds 20] [--rounds 4]`.
 */

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "20" },
    factor: { type: "string", default: "3" },
    rounds: { type: "string", default: "4" }
  }
})
const seconds = Math.min(Math.max(Number(values.seconds), 5), 180)
const factor = Number(values.factor)
const rounds = Math.max(Number(values.rounds), 1)
/** Number of requests of this program that are open at once; the rest are not sent, and counted. */
const mostOpen = 1_500

const percentile = (times: ReadonlyArray<number>, part: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0

const folder = await mkdtemp(join(tmpdir(), "docflow-bench-"))
const service = await ServiceProcess.start({ DOCFLOW_DATA_DIR: folder })
const { organizationId, key } = await service.makeOrganization({
  concurrentExecutions: 64,
  requestsPerMinute: 1_000_000,
  credits: 1_000_000
})
const body = Buffer.from(
  JSON.stringify({
    wait: true,
    input: { document: { base64: Buffer.from(await manyPages(1)).toString("base64") } }
  })
)
const client = new LeanClient(service.address)
const path = "/api/v1/flows/invoice/run"
const request = client.prepare(path, key, body)

const run = (): Promise<Outcome> => client.send(request)

/** The memory of the service and of the readers of documents, in MiB, where the system tells. */
const memory = async (): Promise<number> => {
  const status = await readFile(`/proc/${service.pid}/status`, "utf8").catch(() => "")
  return Number(/VmRSS:\s+(\d+)/u.exec(status)?.[1] ?? "0") / 1024
}

/** What refusals tell callers to wait, in milliseconds. */
const retryAfter = 1_000

/** What completes in the first moments says little: the first runs take turns, and the last are not done at the end. */
const settling = 2_000

/**
 * Keeps a number of runs going for a while; how many completed in a second, after the first moments. Who is refused waits as
 * long as the answer says.
 */
const closedLoop = async (workers: number, ms: number): Promise<number> => {
  const until = performance.now() + ms
  let completed = 0
  await Promise.all(
    Array.from({ length: workers }, async () => {
      while (performance.now() < until) {
        const { at, status } = await run()
        if (status === 200 && at < until && at > until - ms + settling) completed += 1
        if (status !== 200) await new Promise((resolve) => setTimeout(resolve, retryAfter))
      }
    })
  )
  return (completed * 1000) / (ms - settling)
}

// Code that runs often is compiled in the first seconds; otherwise the capacity would be less than what comes later.
await closedLoop(16, 10_000)
const rates: Array<number> = []
const workers = [8, 16, 32, 64]
for (const atOnce of workers) rates.push(await closedLoop(atOnce, 6_000))
const capacity = Math.max(...rates)
const bestAtOnce = workers[rates.indexOf(capacity)] ?? 16
console.log(
  `capacity: ${capacity.toFixed(1)} runs a second (8, 16, 32, 64 at once: ${rates.map((rate) => rate.toFixed(1)).join(", ")})`
)

/** Sends requests to a server that refuses them, so many a second, until the time is over. */
const sendToRefuser = async (perSecond: number, ms: number): Promise<void> => {
  const refuser = fork(new URL("BareRefuser.ts", import.meta.url))
  const [port]: Array<unknown> = await once(refuser, "message")
  const refused = new LeanClient(`http://127.0.0.1:${String(port)}`)
  const bare = refused.prepare(path, key, body)
  const startedAt = performance.now()
  const sending: Array<Promise<Outcome>> = []
  while (performance.now() - startedAt < ms) {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * perSecond)
    while (sending.length < due) sending.push(refused.send(bare))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await Promise.all(sending)
  refused.close()
  refuser.disconnect()
}
const other = await service.makeOrganization({ requestsPerMinute: 1_000_000, credits: 1_000 })
const { body: own } = await service.call("POST", "/api/v1/flows/invoice/run", {
  key: other.key,
  body: { wait: true, input: { document: { base64: Buffer.from(await manyPages(1)).toString("base64") } } }
})
const look = client.prepareGet(`/api/v1/runs/${own.id ?? ""}`, other.key)
/** Another organization's requests, one every 50 ms for a while. */
const lookEvery50ms = async (ms: number): Promise<ReadonlyArray<Outcome>> => {
  const until = performance.now() + ms
  const looks: Array<Promise<Outcome>> = []
  while (performance.now() < until) {
    looks.push(client.send(look))
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return Promise.all(looks)
}

const before = await memory()
const outcomes: Array<Outcome> = []
const looks: Array<Outcome> = []
const memories: Array<number> = []
let unsent = 0

/** Sends so many runs a second for a while; how many completed in a second, after the first moments. */
const overload = async (perSecond: number, ms: number): Promise<number> => {
  const own: Array<Outcome> = []
  const pending: Array<Promise<void>> = []
  let open = 0
  let sent = 0
  let skipped = 0
  const send = async (): Promise<void> => {
    own.push(await run())
    open -= 1
  }
  const startedAt = performance.now()
  const looking = lookEvery50ms(ms)
  while (performance.now() - startedAt < ms) {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * perSecond)
    for (; sent + skipped < due;) {
      if (open >= mostOpen) {
        skipped += 1
        continue
      }
      sent += 1
      open += 1
      pending.push(send())
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const endedAt = performance.now()
  memories.push(await memory())
  await Promise.all(pending)
  looks.push(...(await looking))
  outcomes.push(...own)
  unsent += skipped
  const completed = own.filter(
    ({ at, status }) => status === 200 && at > startedAt + settling && at <= endedAt
  )
  return (completed.length * 1000) / (endedAt - startedAt - settling)
}

const mean = (rates: ReadonlyArray<number>): number =>
  rates.reduce((sum, rate) => sum + rate, 0) / rates.length

const capacities: Array<number> = []
const ratesWithRefuser: Array<number> = []
const goods: Array<number> = []
const part = 8_000
const measureCapacity = async () => {
  const [rate] = await Promise.all([closedLoop(bestAtOnce, part), lookEvery50ms(part)])
  capacities.push(rate)
}
for (let round = 0; round < rounds; round++) {
  await measureCapacity()
  goods.push(await overload(capacity * factor, (seconds * 1_000) / rounds + settling))
  const [withRefuser] = await Promise.all([
    closedLoop(bestAtOnce, part),
    sendToRefuser((factor - 1) * capacity, part),
    lookEvery50ms(part)
  ])
  ratesWithRefuser.push(withRefuser)
}
await measureCapacity()

const report = (name: string, some: ReadonlyArray<Outcome>): void => {
  const times = some.map(({ ms }) => ms)
  const row = [0.5, 0.9, 0.99, 1].map((part) => percentile(times, part).toFixed(1).padStart(9))
  console.log(`${name.padEnd(26)} ${String(some.length).padStart(6)} ${row.join(" ")}`)
}
console.log(
  `\n${rounds} times ${(seconds / rounds).toFixed(0)} s at ${(capacity * factor).toFixed(0)} runs a second: ${outcomes.length} sent, ${unsent} not sent`
)
console.log("milliseconds               number       p50       p90       p99       max")
for (const status of [...new Set(outcomes.map((outcome) => outcome.status))].sort()) {
  report(
    `status ${status}`,
    outcomes.filter((outcome) => outcome.status === status)
  )
}
report(
  "refused (429, 503)",
  outcomes.filter(({ status }) => status === 429 || status === 503)
)
report(
  "another's GET, status 200",
  looks.filter(({ status }) => status === 200)
)
report(
  "another's GET, other status",
  looks.filter(({ status }) => status !== 200)
)
const list = (rates: ReadonlyArray<number>) => rates.map((rate) => rate.toFixed(1)).join(", ")
const shareOf = (rates: ReadonlyArray<number>) => `${((mean(goods) / mean(rates)) * 100).toFixed(0)} %`
console.log(`runs a second in turns: capacity ${list(capacities)}; overload ${list(goods)}`)
console.log(
  `capacity while a bare server refuses ${((factor - 1) * capacity).toFixed(0)} a second: ${list(ratesWithRefuser)}`
)
console.log(
  `goodput: ${shareOf(capacities)} of the capacity, ${shareOf(ratesWithRefuser)} of that with the bare server`
)
console.log(
  `memory (MiB): ${before.toFixed(0)} before, ${memories.map((one) => one.toFixed(0)).join(", ")} after each part`
)
const { body: organization } = await service.call("GET", `/api/admin/v1/organizations/${organizationId}`)
console.log(`reserved credits after it: ${organization.credits.reserved}`)

client.close()
await service.end("SIGTERM")
await rm(folder, { recursive: true, force: true })
