import { Effect } from "effect"
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http"
import type { Socket } from "node:net"

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
  const server = yield* Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<ReturnType<typeof createServer>>((resolve) => {
          const made = createServer((request, response) => {
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
          made.on("connection", (socket) => {
            sockets.add(socket)
            socket.on("close", () => sockets.delete(socket))
          })
          made.listen(0, "127.0.0.1", () => resolve(made))
        })
    ),
    (server) =>
      Effect.promise(
        () =>
          new Promise<void>((resolve) => {
            server.close(() => resolve())
            server.closeAllConnections()
          })
      )
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
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
