/**
 * Keeps 5,000 idle connections to a running service open, from one address and from many, and shows how many fresh ones
 * are answered meanwhile: `node bench/idle-connections.ts [--connections 5000]`. What the service closes is opened again.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { get } from "node:http"
import { connect, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { ServiceProcess } from "../test/durability/ServiceProcess.ts"

const { values } = parseArgs({ options: { connections: { type: "string", default: "5000" } } })
const connections = Number(values.connections)
const requests = 100
/** What the service closes is opened again after so long, in milliseconds: connections, not requests, are what is measured. */
const reopenAfter = 5_000
/** A fresh connection that is not answered for so long, in milliseconds, counts as kept out. */
const patience = 10_000

const folder = await mkdtemp(join(tmpdir(), "docflow-bench-"))
const service = await ServiceProcess.start({ DOCFLOW_DATA_DIR: folder })
const { key } = await service.makeOrganization()
const { hostname, port } = new URL(service.address)

const keepAlive = "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n"

/** Keeps connections open that send `first` and nothing more, each from one of the addresses in turn. */
const hold = (addresses: ReadonlyArray<string>, first: string) => {
  const open = new Set<Socket>()
  let isOver = false
  let opened = 0
  const openOne = (): void => {
    if (isOver) return
    const localAddress = addresses[opened++ % addresses.length] ?? "127.0.0.1"
    const socket = connect({ host: hostname, port: Number(port), localAddress }, () => socket.write(first))
    open.add(socket)
    socket
      .on("data", () => undefined)
      .on("error", () => undefined)
      .on("close", () => {
        open.delete(socket)
        setTimeout(openOne, reopenAfter)
      })
  }
  for (let index = 0; index < connections; index++) openOne()
  const stop = (): void => {
    isOver = true
    for (const socket of open) socket.destroy()
  }
  return { stop, opened: () => opened }
}

/** The status of a request on a connection of its own, and how long it took in milliseconds; 0 where it was closed. */
const fresh = (path: string, localAddress: string): Promise<readonly [number, number]> =>
  new Promise((resolve) => {
    const startedAt = performance.now()
    const done = (status: number) => resolve([status, performance.now() - startedAt])
    const headers = { authorization: `Bearer ${key}` }
    const options = { hostname, port, path, localAddress, headers, agent: false, timeout: patience }
    const request = get(options, (response) => {
      response.resume().on("end", () => done(response.statusCode ?? 0))
    })
    request.on("error", () => done(0)).on("timeout", () => request.destroy(new Error("no answer")))
  })

const many = Array.from({ length: 250 }, (_, index) => `127.0.1.${index + 1}`)
const kinds = [
  ["that send nothing, from one address", ["127.0.0.1"], ""],
  ["that send nothing, from 250 addresses", many, ""],
  ["kept alive after a request, from one address", ["127.0.0.1"], keepAlive],
  ["kept alive after a request, from 250 addresses", many, keepAlive]
] as const

console.log(`${connections} idle connections`.padEnd(50), "opened  answered 200   median ms  longest ms")
for (const [name, addresses, first] of kinds) {
  const holding = hold(addresses, first)
  await new Promise((resolve) => setTimeout(resolve, 4_000))
  const answers: Array<readonly [number, number]> = []
  for (let made = 0; made < requests; made++) {
    const path = made % 2 === 0 ? "/health/live" : "/api/v1/flows"
    answers.push(await fresh(path, made % 4 < 2 ? "127.0.0.1" : "127.0.9.9"))
  }
  holding.stop()
  const times = answers.map(([, time]) => time).toSorted((a, b) => a - b)
  const answered = answers.filter(([status]) => status === 200).length
  const columns = [
    String(holding.opened()).padStart(6),
    `${answered} of ${requests}`.padStart(13),
    (times[requests / 2] ?? 0).toFixed(1).padStart(11),
    (times.at(-1) ?? 0).toFixed(1).padStart(11)
  ]
  console.log(name.padEnd(50), ...columns)
  await new Promise((resolve) => setTimeout(resolve, 2_000))
}
await service.end("SIGTERM")
await rm(folder, { recursive: true, force: true })
process.exit()
