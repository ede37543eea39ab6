import { connect, createServer, type Socket } from "node:net"

/** A TCP proxy on loopback that can fall silent: it goes on accepting and acknowledging, and passes nothing on. */
export interface Proxy {
  readonly port: number
  /** From now on the connections that are open pass nothing on, and new ones neither if `alsoNew`. */
  readonly fallSilent: (alsoNew: boolean) => void
  /** New connections are passed on. */
  readonly recover: () => void
  readonly close: () => Promise<void>
}

/** Passes connections on to `port` of this machine. */
export const startProxy = async (port: number): Promise<Proxy> => {
  const open = new Set<Socket>()
  const silent = new Set<Socket>()
  let isSilent = false
  const pass = (from: Socket, to: Socket) => {
    open.add(from)
    from.on("data", (chunk) => {
      if (!silent.has(from)) to.write(chunk)
    })
    from.on("error", () => undefined)
    from.on("close", () => {
      open.delete(from)
      to.destroy()
    })
  }
  const server = createServer((from) => {
    const to = connect({ host: "127.0.0.1", port })
    if (isSilent) for (const socket of [from, to]) silent.add(socket)
    pass(from, to)
    pass(to, from)
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    fallSilent: (alsoNew) => {
      for (const socket of open) silent.add(socket)
      isSilent = alsoNew
    },
    recover: () => {
      isSilent = false
    },
    close: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
