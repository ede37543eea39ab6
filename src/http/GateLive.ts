import { Context, Effect, Layer, Option, Redacted } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { hash, timingSafeEqual } from "node:crypto"
import { AdminGate, CurrentCaller, Gate, RequiredScope } from "../api/Gate.ts"
import { Unauthorized } from "../domain/Errors.ts"
import { CurrentOrigin } from "../domain/Origin.ts"
import { Admission, askForBearer } from "./Admission.ts"
import { errorAnswer } from "./Answers.ts"
import { Intake } from "./IntakeSlot.ts"
import { RequestId } from "./RequestId.ts"

/** The gate of the API, by keys. */
export const layer = Layer.effect(
  Gate,
  Effect.gen(function* () {
    const admission = yield* Admission
    const intake = yield* Intake
    return Gate.of({
      bearer: (httpEffect, { credential, endpoint }) => {
        const scope = Context.get(endpoint.annotations, RequiredScope)
        const answer = Effect.flatMap(admission.admit(credential, scope), (caller) =>
          withOrigin(`key ${caller.keyId}`, Effect.provideService(httpEffect, CurrentCaller, caller))
        )
        return scope === "flows:execute" ? intake.hold(answer) : answer
      }
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
          Effect.map(withOrigin("admin token", httpEffect), inEnvelope)
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

/** The refusal of a content type is the platform's own, in plain text. */
const inEnvelope = (response: HttpServerResponse.HttpServerResponse) =>
  response.status === 415
    ? errorAnswer(415, "INVALID_INPUT", "Content-Type must be application/json")
    : response

const refusal = (credential: Redacted.Redacted) =>
  Effect.andThen(
    askForBearer,
    new Unauthorized({
      message: Redacted.value(credential) === "" ? "Missing authorization header" : "Invalid admin token"
    })
  )

/** Compares digests, so that the time taken tells nothing about the token. */
const isSame = (a: Redacted.Redacted, b: Redacted.Redacted): boolean =>
  timingSafeEqual(hash("sha256", Redacted.value(a), "buffer"), hash("sha256", Redacted.value(b), "buffer"))
