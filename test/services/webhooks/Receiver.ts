import { Effect } from "effect"
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { listening } from "../../support/Loopback.ts"

/** A webhook that arrived. */
export interface Received {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** How a receiver answers; `count` is 1 for the first request. */
export type Behaviour = (response: ServerResponse, count: number, request: IncomingMessage) => void

/** Answers 204. */
export const accept: Behaviour = (response) => void response.writeHead(204).end()

/** Never answers. */
export const hang: Behaviour = () => undefined

/** An HTTP server on loopback that keeps what it gets and answers as told. */
export const receiver = Effect.fnUntraced(function* (behaviour: Behaviour = accept) {
  const received: Array<Received> = []
  const sockets = new Set<Socket>()
  let behave = behaviour
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("error", () => undefined)
    response.on("error", () => undefined)
    request.on("end", () => {
      const { headers, method, url } = request
      received.push({ method, url, headers, body: Buffer.concat(chunks) })
      behave(response, received.length, request)
    })
  })
  server.on("connection", (socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
  })
  const port = yield* listening(server)
  return {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    received,
    sockets,
    /** Answers differently from now on. */
    become: (next: Behaviour) => {
      behave = next
    }
  }
})
