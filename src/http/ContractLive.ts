import { Effect, Layer } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { Contract, Defects } from "../api/Gate.ts"
import { InternalError, InvalidInput } from "../domain/Errors.ts"
import { outageOf } from "../services/storage/StorageHealth.ts"
import { unavailable } from "../services/storage/StorageUnavailable.ts"
import { RequestId } from "./RequestId.ts"
import { describeIssue } from "./SchemaIssues.ts"

/** Requests that do not match their schema are `INVALID_INPUT`; responses that do not are defects. */
export const layer = HttpApiMiddleware.layerSchemaErrorTransform(Contract, (error) =>
  error.kind === "Body" || error.kind === "ResponseHeaders"
    ? Effect.die(error)
    : Effect.fail(new InvalidInput(describeIssue(error.cause.issue)))
)

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
