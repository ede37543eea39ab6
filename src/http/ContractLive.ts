import { Context, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import type { unhandled } from "effect/Types"
import { HttpApiError } from "effect/http-api"
import { BodyLimit, Contract, Defects } from "../api/Gate.ts"
import { InternalError, InvalidInput } from "../domain/Errors.ts"
import { outageOf } from "../services/storage/StorageHealth.ts"
import { unavailable } from "../services/storage/StorageUnavailable.ts"
import { bodyRefusedAnswer } from "./Answers.ts"
import { JsonBody } from "./JsonBody.ts"
import { RequestId } from "./RequestId.ts"
import { describeIssue } from "./SchemaIssues.ts"

/** What a request does wrong that does not match its schema. A response that does not match is a defect. */
const refuse = Effect.fnUntraced(function* (error: HttpApiError.HttpApiSchemaError) {
  if (error.kind === "Body" || error.kind === "ResponseHeaders") return yield* Effect.die(error)
  const issue = describeIssue(error.cause.issue)
  const field = String(issue.details["field"])
  if (error.kind !== "Query" || !(yield* isRepeated(field))) return yield* new InvalidInput(issue)
  return yield* new InvalidInput({
    message: `The query parameter ${field} is repeated. Send it once`,
    details: { field, reason: "must be sent once" }
  })
})

/** Bodies are read here, within the limit of their endpoint, for every endpoint that declares one. */
export const layer = Layer.effect(
  Contract,
  Effect.gen(function* () {
    const bodies = yield* JsonBody
    return Contract.of((httpEffect, { endpoint }) => {
      const answered = Effect.catch(
        httpEffect,
        (error): Effect.Effect<never, InvalidInput | unhandled, HttpServerRequest.ParsedSearchParams> =>
          HttpApiError.HttpApiSchemaError.is(error) ? refuse(error) : Effect.fail(error)
      )
      const limit = Context.get(endpoint.annotations, BodyLimit)
      if (limit === undefined || endpoint.payload.size === 0) return answered
      return Effect.matchEffect(bodies.bounded(limit), {
        onFailure: bodyRefusedAnswer,
        onSuccess: (request) => Effect.provideService(answered, HttpServerRequest.HttpServerRequest, request)
      })
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
