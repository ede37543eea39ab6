import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** How many connections may be open: of one address, and of all together. */
export interface ConnectionLimits {
  readonly perAddress: number
  readonly overall: number
}

interface Connection {
  readonly socket: Socket
  readonly address: string
  /** Requests that are being answered on it. */
  requests: number
}

/** A connection by its other end, which a TLS socket and the socket beneath it have in common. */
const endOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`

/**
 * Lets fresh connections in when many are open that nobody uses: past a limit the one that has been idle for longest is
 * closed, of the same address or of all. A connection is only refused where all others are answering requests.
 * `isExempt` names addresses, such as proxies, that speak for many.
 */
export const limitConnections = (
  server: Server,
  limits: ConnectionLimits,
  isExempt: (address: string) => boolean = () => false
): void => {
  const open = new Map<string, Connection>()
  /** Those without a request, the longest idle first. */
  const idle = new Set<Connection>()
  const ofAddress = new Map<string, number>()

  const oldestIdle = (address: string | undefined): Connection | undefined => {
    if (address === undefined) return idle.values().next().value
    for (const connection of idle) if (connection.address === address) return connection
    return undefined
  }
  const forget = (key: string, connection: Connection): void => {
    if (open.get(key) !== connection) return
    open.delete(key)
    idle.delete(connection)
    const left = (ofAddress.get(connection.address) ?? 1) - 1
    if (left === 0) ofAddress.delete(connection.address)
    else ofAddress.set(connection.address, left)
  }
  const makeRoom = (address: string | undefined, newest: Connection): void => {
    const closed = oldestIdle(address) ?? newest
    forget(endOf(closed.socket), closed)
    closed.socket.destroy()
  }

  server.on("connection", (socket: Socket) => {
    const key = endOf(socket)
    const address = socket.remoteAddress ?? ""
    const connection: Connection = { socket, address, requests: 0 }
    open.set(key, connection)
    ofAddress.set(address, (ofAddress.get(address) ?? 0) + 1)
    socket.once("close", () => forget(key, connection))
    if ((ofAddress.get(address) ?? 0) > limits.perAddress && !isExempt(address)) makeRoom(address, connection)
    if (open.size > limits.overall) makeRoom(undefined, connection)
    if (open.get(key) === connection) idle.add(connection)
  })

  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const connection = open.get(endOf(request.socket))
    if (connection === undefined) return
    connection.requests += 1
    idle.delete(connection)
    response.once("close", () => {
      connection.requests -= 1
      if (connection.requests === 0 && open.has(endOf(connection.socket))) idle.add(connection)
    })
  })
}
