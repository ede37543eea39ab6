import { Clock, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { RequestId } from "./RequestId.ts"

/** Gives each request an id, puts it into the answer and the log lines, and logs one line for each answer. */
export const layer = HttpRouter.middleware(
  Effect.gen(function* () {
    const random = yield* SecureRandom.SecureRandom
    return (httpEffect) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const requestId = `req_${yield* random.ulid}`
        const startedAt = yield* Clock.currentTimeMillis
        const response = yield* httpEffect.pipe(
          Effect.provideService(RequestId, requestId),
          Effect.annotateLogs({ requestId }),
          Effect.tap((response) =>
            Effect.annotateCurrentSpan({ "docflow.request": requestId }).pipe(Effect.as(response))
          )
        )
        const durationMs = (yield* Clock.currentTimeMillis) - startedAt
        // The query is left out: callers put things there that do not belong into a log.
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
        return HttpServerResponse.setHeader(response, "x-request-id", requestId)
      })
  }),
  { global: true }
)
