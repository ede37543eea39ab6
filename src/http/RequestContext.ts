import { Clock, Effect, Function, Metric, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpEffect, HttpMiddleware, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { IpNetwork } from "effect/net"
import { Settings } from "../config/Config.ts"
import { CurrentOrigin } from "../domain/Origin.ts"
import { outageOf, reportOutage } from "../services/storage/StorageHealth.ts"
import { errorAnswer } from "./Answers.ts"
import { allowOrigins, finishAnswer } from "./FinishAnswer.ts"
import { lacksHost } from "./NoRequest.ts"
import { RequestId } from "./RequestId.ts"

const requests = Metric.counter("http_requests_total", {
  description: "Requests answered, by method and status.",
  incremental: true
})
const durations = Metric.histogram("http_request_duration_ms", {
  description: "How long requests took, in milliseconds; those that wait for a result included.",
  boundaries: [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 60_000]
})

/** Counts an answer; `durationMs` in milliseconds. */
const countRequest = (method: string, status: number, durationMs: number): Effect.Effect<void> =>
  Effect.andThen(
    Metric.update(Metric.withAttributes(requests, { method, status: String(status) }), 1),
    Metric.update(durations, durationMs)
  )

const oneYear = 365 * 24 * 60 * 60

const hostNeeded = Effect.sync(() =>
  errorAnswer(400, "INVALID_INPUT", "A request of HTTP/1.1 needs exactly one Host header", {
    connection: "close"
  })
)

/**
 * Gives each request an id, adds it to the response and the log lines, trusts `X-Forwarded-*` from configured proxies
 * only, and logs one line for each response.
 */
export const layer = HttpRouter.middleware(
  Effect.gen(function* () {
    const random = yield* SecureRandom.SecureRandom
    const { corsOrigins, tlsCert, trustedProxies } = yield* Settings
    const crossOrigin = allowOrigins(corsOrigins)
    // Without proxies, no header is trusted, and the address of the connection need not be parsed.
    const forwarded =
      trustedProxies.length === 0
        ? Function.identity
        : HttpMiddleware.xForwardedHeaders({ trustedProxies: trustedProxies.map(IpNetwork.fromStringUnsafe) })
    const headers = {
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      ...(Option.isSome(tlsCert) ? { "strict-transport-security": `max-age=${oneYear}` } : {})
    }
    return (httpEffect) =>
      forwarded(
        Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const requestId = `req_${yield* random.ulid}`
          const startedAt = yield* Clock.currentTimeMillis
          yield* Effect.annotateCurrentSpan({ "docflow.request": requestId })
          yield* answerInterruption({ ...headers, "x-request-id": requestId })
          const response = yield* (lacksHost(request.source) ? hostNeeded : httpEffect).pipe(
            answerDefects(requestId),
            Effect.flatMap((answer) => finishAnswer(request, answer)),
            crossOrigin,
            Effect.provideService(RequestId, requestId),
            Effect.provideService(CurrentOrigin, {
              actor: "nobody",
              address: Option.getOrUndefined(request.remoteAddress),
              requestId
            }),
            Effect.annotateLogs({ requestId })
          )
          const durationMs = (yield* Clock.currentTimeMillis) - startedAt
          yield* countRequest(request.method, response.status, durationMs)
          // The query is omitted: callers put things there that do not belong in a log.
          const [path] = request.url.split("?")
          yield* Effect.logInfo("request").pipe(
            Effect.annotateLogs({
              requestId,
              method: request.method,
              path,
              status: response.status,
              durationMs
            })
          )
          return HttpServerResponse.setHeaders(response, {
            ...headers,
            // A service that is unavailable or too busy may recover within a second.
            ...(response.status === 503 ? { "retry-after": response.headers["retry-after"] ?? "1" } : {}),
            "x-request-id": requestId
          })
        })
      )
  }),
  { global: true }
)

/**
 * Answers a request that is interrupted because the process stops, in the envelope: the server's own response has no
 * body.
 */
const answerInterruption = (headers: Readonly<Record<string, string>>) =>
  HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.succeed(
      response.status === 503 && response.body._tag === "Empty"
        ? errorAnswer(503, "SERVICE_UNAVAILABLE", "The service is stopping; try again in a second", {
            ...headers,
            "retry-after": "1"
          })
        : response
    )
  )

/**
 * Answers defects outside of the contract's endpoints (pages, the fallback) in the envelope: 503 if storage is
 * unavailable, otherwise 500. The server's own response would have no body.
 */
const answerDefects =
  (requestId: string) =>
  <E, R>(
    httpEffect: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  ): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R> =>
    Effect.catchDefect(httpEffect, (defect) =>
      Effect.gen(function* () {
        const outage = outageOf(defect)
        if (outage === undefined) {
          yield* Effect.logError("A request died", defect).pipe(Effect.annotateLogs({ requestId }))
          return errorAnswer(500, "INTERNAL_ERROR", "An unexpected error occurred")
        }
        yield* reportOutage(outage)
        return errorAnswer(
          503,
          "SERVICE_UNAVAILABLE",
          `The ${outage.what} is not available; try again in a few seconds`
        )
      })
    )
