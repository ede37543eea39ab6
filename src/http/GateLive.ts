import { Context, Effect, Layer, Option, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { hash, timingSafeEqual } from "node:crypto"
import { AdminGate, CurrentCaller, Gate, RequiredScope } from "../api/Gate.ts"
import { Unauthorized } from "../domain/Errors.ts"
import { CurrentOrigin } from "../domain/Origin.ts"
import { Admission } from "./Admission.ts"
import { RequestId } from "./RequestId.ts"

/** The gate of the API, by keys. */
export const layer = Layer.effect(
  Gate,
  Effect.gen(function* () {
    const admission = yield* Admission
    return Gate.of({
      bearer: (httpEffect, { credential, endpoint }) =>
        Effect.flatMap(
          admission.admit(credential, Context.get(endpoint.annotations, RequiredScope)),
          (caller) =>
            withOrigin(`key ${caller.keyId}`, Effect.provideService(httpEffect, CurrentCaller, caller))
        )
    })
  })
)

/** The gate of the administration API, by its one token. */
export const layerAdmin = (token: Redacted.Redacted) =>
  Layer.succeed(
    AdminGate,
    AdminGate.of({
      bearer: (httpEffect, { credential }) =>
        Effect.andThen(
          Effect.suspend(() => (isSame(credential, token) ? Effect.void : refusal(credential))),
          withOrigin("admin token", httpEffect)
        )
    })
  )

/** Does what a request asks for in the name of `actor`: the audit log says so. */
const withOrigin = <A, E, R>(actor: string, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const address = Option.getOrUndefined(request.remoteAddress)
    return yield* Effect.provideService(effect, CurrentOrigin, {
      actor,
      address,
      requestId: yield* RequestId
    })
  })

const refusal = (credential: Redacted.Redacted) =>
  new Unauthorized({
    message: Redacted.value(credential) === "" ? "Missing authorization header" : "Invalid admin token"
  })

/** Compares digests, so that the time taken tells nothing about the token. */
const isSame = (a: Redacted.Redacted, b: Redacted.Redacted): boolean =>
  timingSafeEqual(hash("sha256", Redacted.value(a), "buffer"), hash("sha256", Redacted.value(b), "buffer"))
