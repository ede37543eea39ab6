import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import { Effect, Redacted, Result, Schema } from "effect"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { isSameSecret } from "../services/users/IsSameSecret.ts"
import { isTooDeep } from "../support/JsonDepth.ts"

/** The server cannot listen on the port. */
export class NotListening extends Schema.TaggedError<NotListening>()("NotListening", {
  message: Schema.String
}) {}

const refuse = (response: ServerResponse, status: number, message: string): void => {
  response
    .writeHead(status, { "content-type": "application/json" })
    .end(JSON.stringify({ jsonrpc: "2.0", error: { code: -32000, message }, id: null }))
}

/** Host names for calls from this machine; a stranger may have pointed any other name here. */
const ownHost = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/u

/** Why a request is refused before the protocol sees it: its status and a message; undefined if it is not. */
const refusalOf = (
  { headers, method, url }: IncomingMessage,
  token: Redacted.Redacted
): readonly [number, string] | undefined => {
  if (!ownHost.test(headers.host ?? "")) return [403, "Unknown host"]
  if (headers.origin !== undefined) return [403, "Browsers are not served"]
  if (url?.split("?")[0] !== "/mcp") return [404, "The address is /mcp"]
  const bearer = /^Bearer (.*)$/u.exec(headers.authorization ?? "")?.[1] ?? ""
  if (!isSameSecret(Redacted.make(bearer), token))
    return [401, "Missing or wrong token: send Authorization: Bearer <token>"]
  return method === "POST" ? undefined : [405, "Send a POST request"]
}

/** The maximum size of a request, in bytes: documents are sent by name, not in the request. */
const maxBytes = 1024 * 1024

/** The JSON of a request, or its refusal: a status and a message. */
const readJson = async (
  request: IncomingMessage
): Promise<{ readonly json: unknown } | readonly [number, string]> => {
  const tooLarge = [413, `The request is larger than ${maxBytes} bytes`] as const
  if (Number(request.headers["content-length"] ?? "0") > maxBytes) return tooLarge
  const chunks: Array<Buffer> = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length > maxBytes) return tooLarge
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  if (isTooDeep(bytes)) return [400, "The JSON is nested too deeply: at most 64 levels are allowed"]
  const json = Result.try((): unknown => JSON.parse(bytes.toString()))
  return Result.isSuccess(json) ? { json: json.success } : [400, "The request is not valid JSON"]
}

/** Answers each request with its own server: there are no sessions that could be hijacked or pile up. */
const answer = async (
  makeServer: () => McpServer,
  request: IncomingMessage,
  response: ServerResponse
): Promise<void> => {
  const body = await readJson(request)
  if (!("json" in body)) {
    response.setHeader("connection", "close")
    return refuse(response, ...body)
  }
  const server = makeServer()
  const transport = new StreamableHTTPServerTransport({})
  response.once("close", () => void server.close())
  await server.connect(transport)
  await transport.handleRequest(request, response, body.json)
}

const listen = (server: Server, port: number) =>
  Effect.callback<string, NotListening>((resume) => {
    server.once("error", ({ message }) => resume(new NotListening({ message })))
    server.listen(port, "127.0.0.1", () => {
      const address = server.address()
      const bound = typeof address === "object" && address !== null ? address.port : port
      resume(Effect.succeed(`http://127.0.0.1:${bound}/mcp`))
    })
  })

/**
 * Serves assistants over streamable HTTP on the loopback interface until the scope closes; returns the address. Every
 * request needs the token. Requests from browsers and for other host names are refused, so that no web page reaches the
 * tools.
 */
export const serveMcpHttp = Effect.fnUntraced(function* (
  makeServer: () => McpServer,
  { port, token }: { readonly port: number; readonly token: Redacted.Redacted }
) {
  const server = yield* Effect.acquireRelease(
    Effect.sync(() =>
      createServer((request, response) => {
        const refusal = refusalOf(request, token)
        if (refusal !== undefined) return refuse(response, ...refusal)
        answer(makeServer, request, response).catch(() => {
          if (response.headersSent) response.destroy()
          else refuse(response, 500, "The request could not be answered")
        })
      })
    ),
    (open) =>
      Effect.callback<void>((resume) => {
        open.close(() => resume(Effect.void))
        open.closeAllConnections()
      })
  )
  return yield* listen(server, port)
})
