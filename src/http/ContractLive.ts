import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import { Contract, Defects } from "../api/Gate.ts"
import { InternalError, InvalidInput } from "../domain/Errors.ts"
import { outageOf } from "../services/storage/StorageHealth.ts"
import { unavailable } from "../services/storage/StorageUnavailable.ts"
import { RequestId } from "./RequestId.ts"
import { describeIssue } from "./SchemaIssues.ts"

/** Requests that do not match their schema are `INVALID_INPUT`; responses that do not are defects. */
export const layer = HttpApiMiddleware.layerSchemaErrorTransform(
  Contract,
  Effect.fnUntraced(function* (error) {
    if (error.kind === "Body" || error.kind === "ResponseHeaders") return yield* Effect.die(error)
    const issue = describeIssue(error.cause.issue)
    const field = String(issue.details["field"])
    if (error.kind !== "Query" || !(yield* isRepeated(field))) return yield* new InvalidInput(issue)
    return yield* new InvalidInput({
      message: `The query parameter ${field} is repeated. Send it once`,
      details: { field, reason: "must be sent once" }
    })
  })
)

const isRepeated = (parameter: string) =>
  Effect.map(HttpServerRequest.ParsedSearchParams, (query) => Array.isArray(query[parameter]))

/**
 * A defect is `SERVICE_UNAVAILABLE` if storage is unavailable, and otherwise `INTERNAL_ERROR`, with the request id
 * only; the cause is in the log.
 */
export const layerDefects = Layer.succeed(
  Defects,
  Defects.of((httpEffect) =>
    Effect.catchDefect(httpEffect, (defect) =>
      Effect.gen(function* () {
        const outage = outageOf(defect)
        if (outage !== undefined) return yield* unavailable(outage)
        const requestId = yield* RequestId
        yield* Effect.logError("A request died", defect)
        return yield* new InternalError({
          message: "An unexpected error occurred",
          details: { requestId }
        })
      })
    )
  )
)
