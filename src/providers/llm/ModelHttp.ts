import { Effect, Record, Redacted, UndefinedOr } from "effect"
import * as Http from "node:http"
import * as Https from "node:https"
import { CallFailure, unavailable } from "./CallFailure.ts"
import { defined } from "../../support/Defined.ts"
import { type ModelServer, statusFailure } from "./StatusFailure.ts"

/** The maximum size of a response that is read before the connection is closed, in bytes. */
const maxAnswerBytes = 4 * 1024 * 1024
/** The maximum number of bytes of an error's body that are examined. */
const maxErrorBytes = 16 * 1024

/** How a provider's server is reached. */
export interface Transport {
  /** Further headers of every request. */
  readonly headers: Readonly<Record<string, Redacted.Redacted>>
  /** `HTTPS_PROXY` and the like; a server on this machine is reached without. */
  readonly proxy: Readonly<Record<string, string>>
  /** The client's certificate and key, and the authorities to trust, as PEM. */
  readonly tls?: { readonly cert?: string; readonly key?: Redacted.Redacted; readonly ca?: string }
}

/** A request to a provider's server. Without a body it is a GET. */
export interface ModelCall {
  readonly transport: Transport
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Called when the response begins. */
  readonly began?: () => void
}

/**
 * Sends one request and returns the body of a successful response, chunk by chunk; anything else is thrown as a
 * `CallFailure`.
 */
export type Send = (call: ModelCall) => Promise<AsyncIterable<Uint8Array>>

/**
 * Communicates with a server. Interruption closes its connections; redirects are not followed, so the key is sent
 * nowhere else; no answer is read past 4 MB. The caller sets time limits.
 */
export const exchange = <A>(
  server: ModelServer,
  work: (send: Send) => Promise<A>
): Effect.Effect<A, CallFailure> =>
  Effect.tryPromise({
    try: (signal) =>
      work(async (call) => {
        const response = await begin(call, signal)
        const status = response.statusCode ?? 0
        call.began?.()
        if (status >= 200 && status < 300) return capped(response, server)
        throw statusFailure(server, {
          status,
          retryAfter: retryAfterOf(response.headers),
          body: await beginningOf(response)
        })
      }),
    catch: (error) => (error instanceof CallFailure ? error : lost(server, error))
  })

/** Sends one request and reads the whole successful response. */
export const exchangeText = (server: ModelServer, call: ModelCall): Effect.Effect<string, CallFailure> =>
  exchange(server, async (send) => {
    const parts: Array<Uint8Array> = []
    for await (const part of await send(call)) parts.push(part)
    return Buffer.concat(parts).toString("utf8")
  })

/** What OpenAI and Azure say in milliseconds is more exact. */
const retryAfterOf = (headers: Http.IncomingHttpHeaders): string | undefined => {
  const ms = headers["retry-after-ms"]
  return typeof ms === "string" && /^\d{1,9}(?:\.\d+)?$/u.test(ms)
    ? String(Number(ms) / 1000)
    : headers["retry-after"]
}

const local = "localhost,127.0.0.1,[::1]"

/** An agent for one connection: the other side may close an idle one at that moment, which would look like a failure. */
const agentOf = ({ transport: { proxy, tls }, url }: ModelCall): Http.Agent => {
  const without = proxy["NO_PROXY"]
  const proxyEnv = { ...proxy, NO_PROXY: without === undefined ? local : `${without},${local}` }
  return url.startsWith("https:")
    ? new Https.Agent({
        proxyEnv,
        ...defined({ cert: tls?.cert, ca: tls?.ca, key: UndefinedOr.map(tls?.key, Redacted.value) })
      })
    : new Http.Agent({ proxyEnv })
}

const begin = (call: ModelCall, signal: AbortSignal): Promise<Http.IncomingMessage> =>
  new Promise((resolve, reject) => {
    const body = call.body === undefined ? undefined : Buffer.from(call.body)
    const request = (call.url.startsWith("https:") ? Https : Http).request(call.url, {
      method: body === undefined ? "GET" : "POST",
      agent: agentOf(call),
      maxHeaderSize: 32 * 1024,
      signal,
      headers: {
        Accept: "application/json",
        "User-Agent": "docflow",
        ...(body && { "Content-Type": "application/json", "Content-Length": String(body.length) }),
        ...Record.map(call.transport.headers, Redacted.value),
        ...call.headers
      }
    })
    request.once("response", resolve)
    request.on("error", reject)
    request.end(body)
  })

async function* capped(response: Http.IncomingMessage, server: ModelServer): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of bytesOf(response)) {
    size += chunk.length
    // Leaving the loop destroys the response, and with it the connection.
    if (size > maxAnswerBytes) {
      throw unavailable(
        `${server.address} sent an answer of more than ${maxAnswerBytes / 1024 / 1024} MB`,
        "Take another model"
      )
    }
    yield chunk
  }
}

const bytesOf = (response: Http.IncomingMessage): AsyncIterable<Uint8Array> => response

/** The beginning of an error's body; empty if it cannot be read. */
const beginningOf = async (response: Http.IncomingMessage): Promise<string> => {
  const parts: Array<Uint8Array> = []
  let size = 0
  try {
    for await (const chunk of bytesOf(response)) {
      parts.push(chunk)
      size += chunk.length
      if (size > maxErrorBytes) break
    }
  } catch {
    return ""
  }
  return Buffer.concat(parts).toString("utf8")
}

/** Describes connection errors by their code: messages can contain what the other side sent. */
const lost = (server: ModelServer, error: unknown): CallFailure => {
  const code = codeOf(error)
  switch (code) {
    case "ECONNREFUSED":
      return unavailable(`nothing answers at ${server.address}`, server.startIt)
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return unavailable(`the name in ${server.address} is not known`, server.startIt)
    default:
      return unavailable(
        `the connection to ${server.address} was lost (${code})`,
        "Run it again; if it stays so, look at that server's log"
      )
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown"
