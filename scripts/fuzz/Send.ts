import { Option, Schema } from "effect"
import { Agent, type IncomingHttpHeaders, request as httpRequest } from "node:http"

/** A request as it goes out. */
export interface Outgoing {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: ReadonlyArray<readonly [string, string]>
  readonly body?: Uint8Array | undefined
}

/** What came back. */
export interface Answer {
  readonly _tag: "Answer"
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The parsed JSON; undefined where there is none. */
  readonly body: unknown
}

/** What came back, or why nothing did. */
export type Incoming = Answer | { readonly _tag: "Nothing"; readonly reason: string }

const patience = 90_000
const parseJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** Sends requests to an address over connections that are kept. */
export const sender = (address: string) => {
  const { hostname, port } = new URL(address)
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })

  const once = ({ body, headers, method, path }: Outgoing): Promise<Incoming> =>
    new Promise((resolve) => {
      const sending = httpRequest({ hostname, port, method, path, agent, timeout: patience }, (answer) => {
        const chunks: Array<Buffer> = []
        answer.on("data", (chunk: Buffer) => chunks.push(chunk))
        answer.on("error", (error) => resolve({ _tag: "Nothing", reason: error.message }))
        answer.on("end", () => {
          const text = Buffer.concat(chunks).toString()
          resolve({
            _tag: "Answer",
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text,
            body: Option.getOrUndefined(parseJson(text))
          })
        })
      })
      for (const [name, value] of headers) sending.setHeader(name, value)
      // Node.js sends the body of a GET without saying how long it is.
      if (body !== undefined) sending.setHeader("content-length", body.length)
      sending.on("timeout", () => sending.destroy(new Error(`no answer within ${patience} ms`)))
      sending.on("error", (error) => resolve({ _tag: "Nothing", reason: error.message }))
      sending.end(body)
    })

  return {
    /** Sends once more when a kept connection was closed under the request. */
    send: async (request: Outgoing): Promise<Incoming> => {
      const first = await once(request)
      return first._tag === "Nothing" && /ECONNRESET|EPIPE|hang up/u.test(first.reason)
        ? once(request)
        : first
    },
    close: () => agent.destroy()
  }
}
