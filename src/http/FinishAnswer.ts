import { Effect } from "effect"
import { HttpMiddleware, HttpServerRequest, HttpServerResponse } from "effect/http"
import { sha256 } from "../support/Sha256.ts"
import { promisify } from "node:util"
import { gzip, gzipSync } from "node:zlib"

const zip = promisify(gzip)

/** Up to this size, in bytes, compressing takes 0.3 ms at most; handing it to another thread and back costs as much. */
const mostAtOnce = 65_536
const level = 5

const compressed = (bytes: Uint8Array): Effect.Effect<Uint8Array> =>
  bytes.length <= mostAtOnce
    ? Effect.sync(() => gzipSync(bytes, { level }))
    : Effect.promise(() => zip(bytes, { level }))

/** Compressing shorter responses gains nothing. */
const leastBytes = 1_400

const isApi = (path: string): boolean => path.startsWith("/api/v1/")

/** Responses with an `ETag`: flows, and executions themselves. */
const isTagged = (path: string): boolean => /^\/api\/v1\/(?:flows(?:\/[^/]*)?|runs\/[^/]+)$/u.test(path)

/** Whether a list of codings, such as `br, gzip;q=0.5`, includes gzip. */
const takesGzip = (header: string | undefined): boolean =>
  (header ?? "").split(",").some((part) => {
    const [coding = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase())
    return (coding === "gzip" || coding === "*") && !parameters.some((text) => /^q=0(?:\.0*)?$/u.test(text))
  })

/** Weak: the same content, compressed or not. */
const tagOf = (body: Uint8Array) => Effect.map(sha256(body), (digest) => `W/"${digest.slice(0, 40)}"`)

const names = (header: string | undefined, tag: string): boolean =>
  (header ?? "")
    .split(",")
    .some((one) => one.trim() === "*" || one.trim().replace(/^W\//u, "") === tag.slice(2))

/**
 * Adds an `ETag` to responses for flows and executions, answers 304 without a body if the caller has the content, and
 * compresses JSON of the API with gzip for callers that accept it, outside of the event loop if it is long. Other responses
 * must not be cached.
 */
export const finishAnswer = Effect.fnUntraced(function* (
  { headers, method, url }: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
) {
  const [path = ""] = url.split("?")
  const { body, status } = response
  if (body._tag !== "Uint8Array" || !isApi(path)) return response
  const isPacked = body.contentLength >= leastBytes && /^application\/json\b/u.test(body.contentType)
  const varies = isPacked ? { vary: "accept-encoding" } : {}
  let about: { readonly [name: string]: string } = { "cache-control": "no-store", ...varies }
  if ((method === "GET" || method === "HEAD") && status === 200 && isTagged(path)) {
    const tag = yield* tagOf(body.body)
    about = { etag: tag, "cache-control": "private, no-cache", ...varies }
    if (names(headers["if-none-match"], tag)) return HttpServerResponse.empty({ status: 304, headers: about })
  }
  const answer = HttpServerResponse.setHeaders(response, about)
  if (!isPacked || !takesGzip(headers["accept-encoding"])) return answer
  const packed = yield* compressed(body.body)
  return HttpServerResponse.uint8Array(packed, {
    status,
    contentType: body.contentType,
    headers: { ...answer.headers, "content-encoding": "gzip", "content-length": String(packed.length) },
    cookies: answer.cookies
  })
})

const exposed = [
  "etag",
  "idempotent-replayed",
  "retry-after",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "x-request-id"
]

/**
 * Lets pages of the given origins call `/api/v1` from a browser, but never the administration API or the dashboard.
 * Without origins, no header is sent, and browsers block pages of other sites.
 */
export const allowOrigins = (
  origins: ReadonlyArray<string>
): (<E, R>(
  effect: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | HttpServerRequest.HttpServerRequest>) => {
  if (origins.length === 0) return (effect) => effect
  const cors = HttpMiddleware.cors({
    allowedOrigins: (origin) => origins.includes(origin),
    allowedMethods: ["GET", "POST", "PUT"],
    allowedHeaders: ["authorization", "content-type", "if-none-match", "last-event-id"],
    exposedHeaders: exposed,
    maxAge: 600
  })
  return (effect) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) => (isApi(url) ? cors(effect) : effect))
}
