import { Context, Effect, Layer, Option, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { AdminGate, CurrentCaller, Gate, RequiredScope } from "../api/Gate.ts"
import { roleRefusal } from "../api/RequiredRole.ts"
import { RateLimited, Unauthorized } from "../domain/Errors.ts"
import { CurrentOrigin } from "../domain/Origin.ts"
import { Admission, askForBearer, askToWait } from "./Admission.ts"
import { RateLimits } from "../services/admission/RateLimits.ts"
import { onStorageFailure } from "../services/storage/StorageUnavailable.ts"
import { isSameSecret } from "../services/users/IsSameSecret.ts"
import { Sessions } from "../services/users/Sessions.ts"
import { remoteNetwork } from "./RemoteAddress.ts"
import { RequestId } from "./RequestId.ts"

/** The gate of the API, by keys. */
export const layer = Layer.effect(
  Gate,
  Effect.gen(function* () {
    const admission = yield* Admission
    return Gate.of({
      bearer: (httpEffect, { credential, endpoint }) => {
        const scope = Context.get(endpoint.annotations, RequiredScope)
        return admission.admit(credential, scope, (caller) =>
          withOrigin(`key ${caller.keyId}`, Effect.provideService(httpEffect, CurrentCaller, caller))
        )
      }
    })
  })
)

/** The number of wrong admin tokens that one address may send in a minute. */
export const wrongTokensPerMinute = 20

/** The gate of the administration API, by the admin token and by the sessions of users. */
export const layerAdmin = (token: Redacted.Redacted) =>
  Layer.effect(
    AdminGate,
    Effect.gen(function* () {
      const limits = yield* RateLimits
      const sessions = yield* Sessions
      return AdminGate.of({
        bearer: (httpEffect, { credential, endpoint, group }) =>
          Effect.gen(function* () {
            const user = yield* onStorageFailure(userOf({ credential, limits, sessions, token }))
            if (user === undefined) return yield* withOrigin("admin token", httpEffect)
            const refusal = roleRefusal(user.role, group.identifier, endpoint.identifier)
            if (refusal !== undefined) return yield* refusal
            return yield* withOrigin(`user ${user.name}`, httpEffect)
          })
      })
    })
  )

interface Admitting {
  readonly credential: Redacted.Redacted
  readonly limits: RateLimits["Service"]
  readonly sessions: Sessions["Service"]
  readonly token: Redacted.Redacted
}

/**
 * The user whose session it is; undefined for the admin token. Only wrong tokens are counted, but an address at the limit
 * is refused with the right one too: otherwise the limit would tell which guess was right.
 */
const userOf = Effect.fnUntraced(function* ({ credential, limits, sessions, token }: Admitting) {
  const bucket = `admin:${yield* remoteNetwork}`
  const seen = yield* limits.look(bucket, wrongTokensPerMinute)
  if (seen.remaining === 0) {
    yield* askToWait(seen.retryAfter)
    return yield* new RateLimited({
      message: `Too many wrong admin tokens from this address. Try again in ${seen.retryAfter} seconds.`,
      details: { retryAfter: seen.retryAfter }
    })
  }
  if (isSameSecret(credential, token)) return undefined
  if (Redacted.value(credential) === "") return yield* refusal(credential)
  const person = yield* sessions.find(credential)
  if (person?.user !== undefined) return { role: person.role, name: person.user.name }
  yield* limits.count(bucket, wrongTokensPerMinute)
  return yield* refusal(credential)
})

/** Runs the effect on behalf of `actor`: the audit log names it. */
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
  Effect.andThen(
    askForBearer,
    new Unauthorized({
      message:
        Redacted.value(credential) === ""
          ? "Missing authorization header"
          : "Invalid admin token, or the session has ended"
    })
  )
