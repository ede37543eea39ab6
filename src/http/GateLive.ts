import { Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { AdminGate, CurrentCaller, CurrentPerson, Gate, RequiredScope } from "../api/Gate.ts"
import { roleRefusal } from "../api/RequiredRole.ts"
import { type Caller, operatorOf } from "../domain/ApiKey.ts"
import { Forbidden, RateLimited, Unauthorized } from "../domain/Errors.ts"
import { Environment } from "../domain/Organization.ts"
import { CurrentOrigin } from "../domain/Origin.ts"
import type { Person } from "../domain/User.ts"
import { RateLimits } from "../services/admission/RateLimits.ts"
import { Executions } from "../services/executions/Executions.ts"
import { Organizations } from "../services/organizations/Organizations.ts"
import { onStorageFailure } from "../services/storage/StorageUnavailable.ts"
import { isSameSecret } from "../services/users/IsSameSecret.ts"
import { Sessions } from "../services/users/Sessions.ts"
import { Admission, askForBearer, askToWait } from "./Admission.ts"
import { remoteNetwork } from "./RemoteAddress.ts"
import { RequestId } from "./RequestId.ts"
import { requireSameOrigin } from "./SameOrigin.ts"
import * as SessionCookie from "./SessionCookie.ts"

/** The gate of the public API, by keys and by the sessions of the dashboard. */
export const layer = Layer.effect(
  Gate,
  Effect.gen(function* () {
    const admission = yield* Admission
    const sessions = yield* Sessions
    const callerFor = yield* makeCallerFor
    return Gate.of({
      bearer: (httpEffect, { credential, endpoint, group }) => {
        const scope = Context.get(endpoint.annotations, RequiredScope)
        const byKey = admission.admit(credential, scope, (caller) =>
          withOrigin(`key ${caller.keyId}`, Effect.provideService(httpEffect, CurrentCaller, caller))
        )
        if (Redacted.value(credential) !== "") return byKey
        return Effect.gen(function* () {
          const person = yield* onStorageFailure(personWith(sessions))
          if (person === undefined) return yield* byKey
          const refusal = roleRefusal(person.role, group.identifier, endpoint.identifier)
          if (refusal !== undefined) return yield* refusal
          const caller = yield* onStorageFailure(callerFor(scope === "flows:execute"))
          return yield* asPerson(person, Effect.provideService(httpEffect, CurrentCaller, caller))
        })
      }
    })
  })
)

/** The number of wrong admin tokens that one address may send in a minute. */
export const wrongTokensPerMinute = 20

/** The gate of the administration API, by the admin token and by sessions. */
export const layerAdmin = (token: Redacted.Redacted) =>
  Layer.effect(
    AdminGate,
    Effect.gen(function* () {
      const limits = yield* RateLimits
      const sessions = yield* Sessions
      return AdminGate.of({
        bearer: (httpEffect, { credential, endpoint, group }) =>
          Effect.gen(function* () {
            const ofCookie =
              Redacted.value(credential) === "" ? yield* onStorageFailure(personWith(sessions)) : undefined
            const person =
              ofCookie ?? (yield* onStorageFailure(userOf({ credential, limits, sessions, token })))
            const admitted = Effect.provideService(httpEffect, CurrentPerson, person ?? administrator)
            if (person === undefined) return yield* withOrigin("admin token", admitted)
            const refusal = roleRefusal(person.role, group.identifier, endpoint.identifier)
            if (refusal !== undefined) return yield* refusal
            return yield* asPerson(person, admitted)
          })
      })
    })
  )

const administrator: Person = { role: "administrator", user: undefined }

/** The person whose session the cookie names; undefined without a valid session. Refuses requests of other sites. */
const personWith = Effect.fnUntraced(function* (sessions: Sessions["Service"]) {
  const secret = yield* SessionCookie.read
  const person = Redacted.value(secret) === "" ? undefined : yield* sessions.find(secret)
  if (person !== undefined) yield* requireSameOrigin
  return person
})

/**
 * Makes the caller as whom a person acts: for the organization of the execution in the path, or the one that the request names.
 * One who pays for executions is within the limits of the organization's plan.
 */
const makeCallerFor = Effect.gen(function* () {
  const executions = yield* Executions
  const organizations = yield* Organizations
  return Effect.fnUntraced(function* (isPaying: boolean) {
    const { executionId } = yield* HttpRouter.params
    const owner = executionId === undefined ? yield* namedOwner : yield* executions.ownerOf(executionId)
    const caller = operatorOf(owner?.organizationId ?? "", owner?.environment ?? "live")
    // Without an owner, the execution is not found.
    if (!isPaying || (owner === undefined && executionId !== undefined)) return caller
    const { concurrentExecutions, plan, requestsPerMinute } = yield* Effect.catchTag(
      organizations.get(caller.organizationId),
      "OrganizationNotFound",
      () => new Forbidden({ message: "Name the organization in X-Docflow-Organization" })
    )
    return {
      ...caller,
      scopes: [...caller.scopes, "flows:execute"],
      plan,
      customLimits: { requestsPerMinute, concurrentExecutions }
    } satisfies Caller
  })
})

const environmentOf = Schema.decodeUnknownOption(Environment)

/** The organization and environment that the headers of a request name. */
const namedOwner = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => {
  const organizationId = headers["x-docflow-organization"]
  const environment = Option.getOrUndefined(environmentOf(headers["x-docflow-environment"] ?? "live"))
  return organizationId === undefined || environment === undefined
    ? undefined
    : { organizationId, environment }
})

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
  if (person?.user !== undefined) return person
  yield* limits.count(bucket, wrongTokensPerMinute)
  return yield* refusal(credential)
})

/** Runs an effect on behalf of a person; no cache keeps its answer, and no other site shows it. */
export const asPerson = <A, E, R>({ user }: Person, effect: Effect.Effect<A, E, R>) =>
  Effect.andThen(
    HttpEffect.appendPreResponseHandler((_request, response) =>
      Effect.succeed(
        HttpServerResponse.setHeaders(response, {
          "cross-origin-resource-policy": "same-origin",
          ...(response.headers["cache-control"] === undefined ? { "cache-control": "no-store" } : {})
        })
      )
    ),
    withOrigin(user === undefined ? "session" : `user ${user.name}`, effect)
  )

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
