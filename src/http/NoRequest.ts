import { Predicate } from "effect"
import { IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"

/** Whether a request lacks the single `Host` header that HTTP/1.1 requires. `source` is the platform's own request. */
export const lacksHost = (source: unknown): boolean =>
  source instanceof IncomingMessage &&
  source.httpVersion === "1.1" &&
  source.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host").length !== 1

interface Refused {
  readonly status: string
  readonly message: string
}

/** Why Node.js could not parse a request, by error code. */
const reasons: Readonly<Record<string, Refused>> = {
  HPE_HEADER_OVERFLOW: {
    status: "431 Request Header Fields Too Large",
    message: "The head of the request is larger than 16 KB"
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: "413 Payload Too Large",
    message: "The extensions of a chunk are too large"
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: "408 Request Timeout",
    message: "The request took too long to arrive"
  }
}
const malformed: Refused = { status: "400 Bad Request", message: "This is not a request of HTTP/1.1" }

/** How long further bytes are discarded, in milliseconds: closing the connection immediately may lose the response. */
const lingering = 1_000

/** Whether a response is being sent on a connection; Node.js exposes this only on the socket. */
const isAnswering = (socket: Duplex): boolean => {
  const answer: unknown = Reflect.get(socket, "_httpMessage")
  return Predicate.isObject(answer) && Reflect.get(answer, "headersSent") === true
}

/**
 * Answers invalid requests (head too large, two lengths, bytes that are not HTTP) in the API's envelope, and closes the
 * connection, because what follows on it cannot be trusted.
 */
export const answerNoRequest = (error: Error & { readonly code?: string }, socket: Duplex): void => {
  if (error.code === "ECONNRESET" || !socket.writable || isAnswering(socket)) {
    socket.destroy()
    return
  }
  const { message, status } = reasons[error.code ?? ""] ?? malformed
  const body = JSON.stringify({ error: { code: "INVALID_INPUT", message } })
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
      `X-Content-Type-Options: nosniff\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
  setTimeout(() => socket.destroy(), lingering).unref()
}
