import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Clock, Effect, FileSystem, Layer, Schema } from "effect"
import { HttpServer } from "effect/http"
import { createServer, IncomingMessage, type Server, type ServerOptions, ServerResponse } from "node:http"
import { createServer as createSecureServer } from "node:https"
import { BlockList, isIPv6, type Socket } from "node:net"
import { withRoom } from "../support/WithRoom.ts"
import { uncountedHeaders } from "./Admission.ts"
import { answerNoRequest } from "./NoRequest.ts"
import { networkOf } from "./RemoteAddress.ts"

/** The maximum number of open connections: of one address, and of all together. */
export interface ConnectionLimits {
  readonly perAddress: number
  readonly overall: number
}

/** A request that has arrived, and the event that announces it. */
interface Arrival {
  readonly event: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

interface Connection {
  readonly socket: Socket
  readonly address: string
  /** The responses of the requests in progress. */
  readonly responses: Set<ServerResponse>
  /** Pipelined requests that wait for those in progress. */
  readonly waiting: Array<Arrival>
}

/** Requests of one connection in progress at once. */
const mostAtOnce = 4
/** Turns of the event loop for connections that wait to be accepted when the server closes. */
const mostTurns = 1_000
/** Requests of one connection that wait; a chunk of 64 KB holds fewer. */
const mostWaiting = 5_000
/** The events by which Node.js announces a request. */
const arrivals = new Set(["request", "checkContinue"])

/** Identifies a connection by its remote end, which a TLS socket shares with the socket below it. */
const endOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`

/**
 * Lets a connection have only a few requests in progress. Further pipelined requests wait, and nothing more is read from their
 * socket meanwhile. Also keeps idle connections from blocking new ones: past a limit, the connection that has been idle longest is closed, of
 * the same address or of all. A connection is refused only if all others have requests in progress. `isExempt` names
 * addresses, such as proxies, that speak for many. Once the server closes, each connection is closed after its response.
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
  /** How many connections have been accepted. */
  let accepted = 0

  const oldestIdle = (address: string | undefined): Connection | undefined => {
    if (address === undefined) return idle.values().next().value
    for (const connection of idle) if (connection.address === address) return connection
    return undefined
  }
  const forget = (key: string, connection: Connection): void => {
    if (open.get(key) !== connection) return
    open.delete(key)
    idle.delete(connection)
    connection.waiting.length = 0
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
    accepted += 1
    const key = endOf(socket)
    const address = networkOf(socket.remoteAddress ?? "")
    const connection: Connection = { socket, address, responses: new Set(), waiting: [] }
    open.set(key, connection)
    ofAddress.set(address, (ofAddress.get(address) ?? 0) + 1)
    socket.once("close", () => forget(key, connection))
    if ((ofAddress.get(address) ?? 0) > limits.perAddress && !isExempt(address)) makeRoom(address, connection)
    if (open.size > limits.overall) makeRoom(undefined, connection)
    if (open.get(key) === connection) idle.add(connection)
  })

  const emit = server.emit.bind(server)
  const begin = (connection: Connection, { event, request, response }: Arrival): void => {
    response.once("close", () => {
      connection.responses.delete(response)
      const next = connection.waiting.shift()
      if (next !== undefined) connection.responses.add(next.response)
      if (connection.waiting.length === 0) connection.socket.resume()
      // Other connections take their turn in between.
      if (next !== undefined) return void setImmediate(() => begin(connection, next))
      if (connection.responses.size === 0 && open.has(endOf(connection.socket))) idle.add(connection)
    })
    emit(event, request, response)
  }
  const arrive = (connection: Connection, arrival: Arrival): void => {
    if (!server.listening) arrival.response.shouldKeepAlive = false
    if (connection.responses.size < mostAtOnce) {
      idle.delete(connection)
      connection.responses.add(arrival.response)
      return begin(connection, arrival)
    }
    connection.waiting.push(arrival)
    connection.socket.pause()
    if (connection.waiting.length > mostWaiting) connection.socket.destroy()
  }
  // Node.js accepts one connection in a turn of its loop, and closing resets those that wait: they come first. Then it closes those that
  // are idle; the others are told, or their next request would come when nobody answers anymore.
  const close = server.close.bind(server)
  const closeAfter = (turns: number, seen: number, done?: (error?: Error) => void): void => {
    setImmediate(() => {
      if (turns > 0 && seen !== accepted) return closeAfter(turns - 1, accepted, done)
      for (const { responses } of open.values())
        for (const response of responses) response.shouldKeepAlive = false
      close(done)
    })
  }
  server.close = (done) => {
    closeAfter(mostTurns, -1, done)
    return server
  }
  // Node.js announces every request of a chunk at once, whatever a listener does.
  server.emit = (event: string, ...values: ReadonlyArray<unknown>) => {
    const [request, response] = values
    if (!arrivals.has(event) || !(request instanceof IncomingMessage)) return emit(event, ...values)
    const connection = open.get(endOf(request.socket))
    if (connection === undefined || !(response instanceof ServerResponse)) return emit(event, ...values)
    arrive(connection, { event, request, response })
    return true
  }
}

const body = JSON.stringify({
  error: {
    code: "SERVICE_UNAVAILABLE",
    message: "The service is starting or stopping; try again in a second"
  }
})

/**
 * Answers requests with 503 while the server listens but does not serve: between "listen" and "ready", and during
 * shutdown. Otherwise, such requests would wait forever.
 */
const answerWhileNotServing = (server: Server): void => {
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    // The service's own handler has been added: it answers.
    if (server.listenerCount("request") > withoutService) return
    // A caller that is still sending when the connection closes would not see the answer.
    request.resume().once("end", () => {
      response
        .writeHead(503, {
          "content-type": "application/json",
          "x-content-type-options": "nosniff",
          "retry-after": "1",
          ...uncountedHeaders(Effect.runSync(Clock.currentTimeMillis)),
          connection: "close"
        })
        .end(body)
    })
  }
  server.on("request", answer)
  const withoutService = server.listenerCount("request")
}

/** The certificate or its key cannot be used. */
export class TlsFailure extends Schema.TaggedError<TlsFailure>()("TlsFailure", { message: Schema.String }) {}

/** Where to listen. */
export interface Listen {
  readonly host: string
  readonly port: number
  /** Networks of proxies, like `10.0.0.0/8`: connections from there are those of many callers. */
  readonly trustedProxies?: ReadonlyArray<string>
  /** What is removed from the beginning of paths. */
  readonly basePath?: string
}

const proxyTest = (networks: ReadonlyArray<string> = []): ((address: string) => boolean) => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = "", prefix = ""] = network.split("/")
    list.addSubnet(address, Number(prefix), isIPv6(address) ? "ipv6" : "ipv4")
  }
  return (address) => list.check(address, isIPv6(address) ? "ipv6" : "ipv4")
}

/** Files in PEM. */
export interface TlsFiles {
  readonly certificate: string
  readonly key: string
}

/** Time limits for slow senders, in milliseconds: headers must arrive within 5 s, the whole request within 60 s. */
const limits: ServerOptions = {
  headersTimeout: 5_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 8_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
  // RequestContext refuses it instead, because Node.js would answer without the envelope.
  requireHostHeader: false,
  // Two Authorization headers are refused; otherwise, the first one would be used and the other ignored.
  joinDuplicateHeaders: true
}
/** Connections open at once. */
const connections: ConnectionLimits = { perAddress: 1_000, overall: 2_000 }
/** Connections that Node.js still accepts, so that this code decides which one is closed. */
const maxConnections = 2_500

/** The set-up that both kinds of server share. */
/**
 * Removes the base path from the requests of a server, so that routes know nothing of it. Requests without it stay as they are: those
 * of a proxy that has removed it, and of health checks.
 */
const removeBasePath = (server: Server, basePath: string): void => {
  if (basePath === "") return
  const emit = server.emit.bind(server)
  server.emit = (event: string, ...rest: ReadonlyArray<unknown>) => {
    const [request] = rest
    if (
      arrivals.has(event) &&
      request instanceof IncomingMessage &&
      request.url?.startsWith(basePath) === true
    ) {
      const path = request.url.slice(basePath.length)
      if (/^(?:$|[/?])/u.test(path)) request.url = path.startsWith("/") ? path : `/${path}`
    }
    return emit(event, ...rest)
  }
}

const set = <S extends Server>(server: S, isProxy: (address: string) => boolean, basePath = ""): S => {
  removeBasePath(server, basePath)
  limitConnections(server, connections, isProxy)
  answerWhileNotServing(server)
  return (
    Object.assign(server, { maxConnections })
      .on("clientError", answerNoRequest)
      // Unknown expectations of a client are not a reason to refuse a request.
      .on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
        server.emit("request", request, response)
      })
  )
}

const gracefulShutdownTimeout = "10 seconds"

/** Plain HTTP, for loopback or behind a proxy. */
export const layer = ({ basePath, trustedProxies, ...listen }: Listen) =>
  NodeHttpServer.layer(() => set(createServer(limits), proxyTest(trustedProxies), basePath), {
    ...listen,
    gracefulShutdownTimeout
  })

/** HTTPS. */
export const layerTls = ({ basePath, trustedProxies, ...listen }: Listen, files: TlsFiles) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const read = (file: string) =>
        Effect.mapError(fs.readFile(file), () => new TlsFailure({ message: `${file} cannot be read` }))
      const cert = Buffer.from(yield* read(files.certificate))
      const key = Buffer.from(yield* read(files.key))
      const server = yield* Effect.try({
        try: () => set(createSecureServer({ ...limits, cert, key }), proxyTest(trustedProxies), basePath),
        catch: () =>
          new TlsFailure({
            message: `${files.certificate} and ${files.key} are not a certificate and its key in PEM`
          })
      })
      return NodeHttpServer.layer(() => server, { ...listen, gracefulShutdownTimeout })
    })
  )

/** The same server, which does not copy all services for those that a request adds. */
export const withRoomForRequests = ({ address, serve }: HttpServer.HttpServer["Service"]) =>
  HttpServer.make({
    address,
    serve: (app, middleware) =>
      Effect.updateContext(middleware === undefined ? serve(app) : serve(app, middleware), withRoom)
  })
