import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** The maximum number of open connections: of one address, and of all together. */
export interface ConnectionLimits {
  readonly perAddress: number
  readonly overall: number
}

interface Connection {
  readonly socket: Socket
  readonly address: string
  /** The number of requests in progress. */
  requests: number
}

/** Identifies a connection by its remote end, which a TLS socket shares with the socket below it. */
const endOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`

/**
 * Keeps idle connections from blocking new ones: past a limit, the connection that has been idle longest is closed, of
 * the same address or of all. A connection is refused only if all others have requests in progress. `isExempt` names
 * addresses, such as proxies, that speak for many.
 */
export const limitConnections = (
  server: Server,
  limits: ConnectionLimits,
  isExempt: (address: string) => boolean = () => false
): void => {
  const open = new Map<string, Connection>()
  /** Connections without a request, the longest idle first. */
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
