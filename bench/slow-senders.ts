import { mkdtemp, rm } from "node:fs/promises"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { ServiceProcess } from "../test/durability/ServiceProcess.ts"

/**
 * Opens connections whose senders are slow (heads that drip, bodies that stop, with a key and without) and shows how long
 * each lives, and how long `GET /flows` takes with them: `node bench/slow-senders.ts [--connections 500]`.
 */

const { values } = parseArgs({ options: { connections: { type: "string", default: "500" } } })
const connections = Math.min(Number(values.connections), 1_500)
/** No connection lives longer here, whatever the server does. */
const giveUpAfter = 30_000

const percentile = (times: ReadonlyArray<number>, part: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0

const folder = await mkdtemp(join(tmpdir(), "docflow-bench-"))
const service = await ServiceProcess.start({ DOCFLOW_DATA_DIR: folder })
const tenant = await service.makeOrganization()
const { hostname, port } = new URL(service.address)

const bodyHead = (authorization: string) =>
  `POST /api/v1/flows/invoice/run HTTP/1.1\r\nHost: x\r\n${authorization}Content-Type: application/json\r\n` +
  `Content-Length: 100000\r\n\r\n{"input":`
const kinds = [
  { name: "head drips", head: "GET /api/v1/flows HTTP/1.1\r\nHost: x\r\nX-Slow: ", drip: "a" },
  { name: "body stops", head: bodyHead(`Authorization: Bearer ${tenant.key}\r\n`), drip: "" },
  { name: "body stops, no key", head: bodyHead(""), drip: "" },
  { name: "sends nothing", head: "", drip: "" }
] as const

/** How long a slow connection lives, in milliseconds. */
const slowly = ({ drip, head }: (typeof kinds)[number]): Promise<number> =>
  new Promise((resolve) => {
    const startedAt = performance.now()
    const socket = connect(Number(port), hostname, () => socket.write(head))
    const dripping = setInterval(() => drip !== "" && socket.write(drip), 1_000)
    const giveUp = setTimeout(() => socket.destroy(), giveUpAfter)
    socket.on("data", () => undefined)
    socket.on("error", () => undefined)
    socket.on("close", () => {
      clearInterval(dripping)
      clearTimeout(giveUp)
      resolve(performance.now() - startedAt)
    })
  })

const healthy = async (isOver: () => boolean): Promise<ReadonlyArray<number>> => {
  const times: Array<number> = []
  while (!isOver()) {
    const startedAt = performance.now()
    const { status } = await service.call("GET", "/api/v1/flows", { key: tenant.key })
    if (status !== 200) throw new Error(`GET /flows answered ${status}`)
    times.push(performance.now() - startedAt)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return times
}

const report = (name: string, times: ReadonlyArray<number>): void => {
  const row = [0.5, 0.9, 0.99, 1].map((part) => percentile(times, part).toFixed(1).padStart(9))
  console.log(`${name.padEnd(30)} ${String(times.length).padStart(6)} ${row.join(" ")}`)
}

const idleUntil = performance.now() + 2_000
const alone = await healthy(() => performance.now() > idleUntil)
let over = false
const lives = Promise.all(
  Array.from({ length: connections }, async (_, index) => {
    const kind = kinds[index % kinds.length] ?? kinds[0]
    return { kind: kind.name, ms: await slowly(kind) }
  })
).finally(() => {
  over = true
})
const meanwhile = await healthy(() => over)
const lived = await lives

console.log("milliseconds                      number      p50       p90       p99       max")
report("GET /flows alone", alone)
report(`GET /flows with ${connections} slow`, meanwhile)
for (const { name } of kinds) {
  report(
    `life: ${name}`,
    lived.filter(({ kind }) => kind === name).map(({ ms }) => ms)
  )
}

await service.end("SIGTERM")
await rm(folder, { recursive: true, force: true })
