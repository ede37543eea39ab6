import { once } from "node:events"
import { createServer, type Server, type ServerResponse } from "node:http"
import { connect, type Socket } from "node:net"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type ConnectionLimits, limitConnections } from "../../src/http/HttpServerLayer.ts"
import { networkOf } from "../../src/http/RemoteAddress.ts"
import { until } from "../support/Until.ts"

const head = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

const closed = (socket: Socket) => until("a closed connection", async () => socket.closed || undefined)

describe("connections", () => {
  const sockets: Array<Socket> = []
  /** Requests that are not answered until the test does it. */
  let held: Array<ServerResponse> = []
  let server: Server | undefined
  let port = 0

  const start = async (limits: ConnectionLimits, exempt?: (address: string) => boolean) => {
    const started = createServer((_, response) => void held.push(response))
    server = started
    limitConnections(started, limits, exempt)
    started.listen(0, "127.0.0.1")
    await once(started, "listening")
    const address = started.address()
    port = typeof address === "object" && address !== null ? address.port : 0
  }
  /** A connection from an address of the loopback. */
  const open = async (from = "127.0.0.1"): Promise<Socket> => {
    const socket = connect({ port, host: "127.0.0.1", localAddress: from })
    socket.on("error", () => undefined)
    sockets.push(socket)
    await once(socket, "connect")
    return socket
  }
  const isAnswered = async (socket: Socket): Promise<boolean> => {
    const before = held.length
    socket.write(head)
    await until("the request", async () => held.length > before || socket.destroyed || undefined)
    held.pop()?.end("ok")
    return socket.destroyed ? false : (await once(socket, "data")).length > 0
  }

  beforeEach(() => {
    held = []
  })
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
    server?.close()
  })

  test("that are idle make room for a fresh one of their address, the oldest first", async () => {
    await start({ perAddress: 3, overall: 100 })
    const idle = [await open(), await open(), await open()]
    const other = await open("127.0.0.2")
    const fresh = await open()
    expect(await isAnswered(fresh)).toBe(true)
    await closed(idle[0] ?? fresh)
    expect([...idle.slice(1), other].map(({ destroyed }) => destroyed)).toEqual([false, false, false])
  })

  test("that are idle make room for a fresh one of any address when there are too many", async () => {
    await start({ perAddress: 100, overall: 3 })
    const [oldest] = [await open(), await open(), await open()]
    expect(await isAnswered(await open("127.0.0.2"))).toBe(true)
    await closed(oldest)
  })

  test("that are answered on are never closed: the fresh one is", async () => {
    await start({ perAddress: 2, overall: 100 })
    const busy = [await open(), await open()]
    for (const socket of busy) socket.write(head)
    await until("both requests", async () => held.length === 2 || undefined)
    await closed(await open())
    for (const response of held.splice(0)) response.end("ok")
    await Promise.all(busy.map((socket) => once(socket, "data")))
  })

  test("that are answered on while the server closes end with their response, which says so", async () => {
    await start({ perAddress: 100, overall: 100 })
    const kept = [await open(), await open()]
    for (const socket of kept) {
      expect(await isAnswered(socket)).toBe(true)
      socket.write(head)
    }
    await until("both requests", async () => held.length === 2 || undefined)
    server?.close()
    await until("the server to close", async () => server?.listening === false || undefined)
    for (const response of held.splice(0)) response.end("ok")
    for (const [answer] of await Promise.all(kept.map((socket) => once(socket, "data"))))
      expect(String(answer)).toMatch(/^connection: close\r$/imu)
    await Promise.all(kept.map(closed))
  })

  test("of a proxy are not limited by its address", async () => {
    await start({ perAddress: 1, overall: 100 }, (address) => address === "127.0.0.1")
    const idle = [await open(), await open()]
    expect(await isAnswered(await open())).toBe(true)
    expect(idle.map(({ destroyed }) => destroyed)).toEqual([false, false])
  })

  test("that pipeline requests have a few of them in progress, and all of them answered in order", async () => {
    let most = 0
    const started = createServer((request, response) => {
      held.push(response)
      most = Math.max(most, held.length)
      setImmediate(() => {
        held.shift()
        response.end(`${request.url}\n`)
      })
    })
    server = started
    limitConnections(started, { perAddress: 10, overall: 100 })
    started.listen(0, "127.0.0.1")
    await once(started, "listening")
    const address = started.address()
    port = typeof address === "object" && address !== null ? address.port : 0
    const socket = await open()
    let answered = ""
    socket.on("data", (chunk) => (answered += chunk.toString()))
    const paths = Array.from({ length: 1_500 }, (_, index) => `/${index}`)
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(""))
    await until("the last answer", async () => answered.includes("/1499\n") || undefined)
    expect(answered.match(/^\/\d+$/gmu)).toEqual(paths)
    expect(most).toBeLessThanOrEqual(4)
    socket.write("GET /more HTTP/1.1\r\nHost: x\r\n\r\n")
    await until("one more answer", async () => answered.includes("/more\n") || undefined)
  })
})

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
  ["fe80::1%eth0", "fe80::/64"],
  ["unknown", "unknown"]
])("a caller at %s is counted as %s", (address, network) => {
  expect(networkOf(address)).toBe(network)
})
