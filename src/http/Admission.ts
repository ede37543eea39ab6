import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { ApiKeys } from "../services/organizations/ApiKeys.ts"
import type { Caller, Scope } from "../domain/ApiKey.ts"
import {
  type Forbidden,
  InvalidApiKey,
  RateLimited,
  ServiceUnavailable,
  Unauthorized
} from "../domain/Errors.ts"
import { limitsFor } from "../domain/Organization.ts"
import { Overload } from "../services/admission/Overload.ts"
import { RateLimits, rateState, type RateState } from "../services/admission/RateLimits.ts"
import { requireScope } from "./RequireScope.ts"
import { remoteNetwork } from "./RemoteAddress.ts"
import { onStorageFailure } from "../services/storage/StorageUnavailable.ts"
import { inSpan } from "../support/InSpan.ts"

/** The number of requests without a valid key that one address may make in a minute. */
const anonymousLimit = 1000
/** The number of buckets whose state is remembered. */
const mostStates = 10_000
/** After this time, in milliseconds, the rate-limit headers of a response are computed again when it is sent. */
const soon = 1_000

const severalKeys =
  "The request has several Authorization headers, or a key with a comma. Send one header with one key"

/** What a request counts against, as far as that is known. */
interface Bucket {
  readonly bucket: string
  readonly limit: number
}

type Refusal = Forbidden | InvalidApiKey | RateLimited | ServiceUnavailable | Unauthorized

/**
 * Lets requests of the API in: authenticates, counts against the rate limit, checks the scope, in this order. Every
 * answer, refusals included, carries the rate-limit headers.
 */
export class Admission extends Context.Service<
  Admission,
  {
    /**
     * Runs `work` for an admitted caller. `credential` is what followed `Bearer`; empty if there was none. A run holds
     * a place in the intake meanwhile.
     */
    admit<A, E, R>(
      credential: Redacted.Redacted,
      scope: Scope | undefined,
      work: (caller: Caller) => Effect.Effect<A, E, R>
    ): Effect.Effect<A, E | Refusal, R | HttpServerRequest.HttpServerRequest>
  }
>()("docflow/http/Admission") {
  static readonly layer = Layer.effect(
    Admission,
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const limits = yield* RateLimits

      const overload = yield* Overload
      /** The last known state of buckets. */
      const lastStates = new Map<string, RateState>()

      const lastKnown = (bucket: string, limit: number) =>
        Effect.map(Clock.currentTimeMillis, (millis) => {
          const now = millis / 1000
          const last = lastStates.get(bucket)
          return last !== undefined && last.resetAt > now ? last : rateState(0, limit, now)
        })

      /** Puts the last known state on the answer to a request that was not counted. */
      const tellLastKnown = ({ bucket, limit }: Bucket) =>
        Effect.flatMap(lastKnown(bucket, limit), (state) =>
          HttpEffect.appendPreResponseHandler((_request, response) =>
            Effect.succeed(withRateHeaders(response, state))
          )
        )

      /** The state of a bucket at the end of a request that waited, whose window may be long over. */
      const stateNow = (bucket: string, limit: number) =>
        Effect.catchTag(limits.look(bucket, limit), "SqlError", () => lastKnown(bucket, limit))

      const count = Effect.fnUntraced(function* (bucket: string, limit: number) {
        const state = yield* limits.count(bucket, limit)
        if (lastStates.size > mostStates) lastStates.clear()
        lastStates.set(bucket, state)
        const countedAt = yield* Clock.currentTimeMillis
        yield* HttpEffect.appendPreResponseHandler((_request, response) =>
          Effect.gen(function* () {
            const isLate = (yield* Clock.currentTimeMillis) - countedAt > soon
            return withRateHeaders(response, isLate ? yield* stateNow(bucket, limit) : state)
          })
        )
        if (state.allowed) return
        return yield* new RateLimited({
          message: `Rate limit exceeded: at most ${limit} requests a minute. Retry in ${state.retryAfter} seconds`,
          details: { retryAfter: state.retryAfter }
        })
      })

      /** A request without a valid key counts against its address. */
      const refuse = Effect.fnUntraced(function* (refusal: Unauthorized | InvalidApiKey) {
        yield* askForBearer
        yield* count(`address:${yield* remoteNetwork}`, anonymousLimit)
        return yield* refusal
      })

      const callerOf = Effect.fnUntraced(
        function* (credential: Redacted.Redacted, scope: Scope | undefined, counted: Bucket) {
          if (Redacted.value(credential) === "") {
            return yield* refuse(new Unauthorized({ message: "Missing authorization header" }))
          }
          // Several headers arrive as one, joined by commas, which no key contains.
          if (Redacted.value(credential).includes(",")) {
            return yield* refuse(new InvalidApiKey({ message: severalKeys }))
          }
          const caller = yield* keys
            .authenticate(credential)
            .pipe(Effect.catchTag(["UNAUTHORIZED", "INVALID_API_KEY"], refuse))
          const { organizationId, environment, plan, customLimits } = caller
          const limit = limitsFor(plan, environment, customLimits).requestsPerMinute
          const bucket = `organization:${organizationId}:${environment}`
          Object.assign(counted, { bucket, limit })
          if (scope === "flows:execute" && (yield* overload.isTooMuch(organizationId)))
            return yield* new ServiceUnavailable({
              message: "Too many runs are being accepted at the moment; try again in a second"
            })
          yield* count(bucket, limit)
          if (scope !== undefined) yield* requireScope(caller, scope)
          return caller
        },
        inSpan("Admission.admit"),
        onStorageFailure
      )

      return Admission.of({
        admit: (credential, scope, work) => {
          const admitted = Effect.suspend(() => {
            const counted: Bucket = { bucket: "", limit: anonymousLimit }
            return Effect.flatMap(
              Effect.tapErrorTag(callerOf(credential, scope, counted), "SERVICE_UNAVAILABLE", () =>
                tellLastKnown(counted)
              ),
              work
            )
          })
          return scope === "flows:execute" ? overload.hold(admitted) : admitted
        }
      })
    })
  )
}

/** Puts `WWW-Authenticate: Bearer` on the answer, as every 401 has it. */
export const askForBearer = HttpEffect.appendPreResponseHandler((_request, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "www-authenticate", "Bearer"))
)

/** Puts `Retry-After` on the answer, in seconds. */
export const askToWait = (seconds: number) =>
  HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.succeed(HttpServerResponse.setHeader(response, "retry-after", String(seconds)))
  )

/** The same, as long as a refusal of too many attempts says. */
export const askToWaitAsToldIn = ({ details }: RateLimited) => askToWait(Number(details?.["retryAfter"] ?? 1))

/** Seconds to wait after a 429: until the window resets, or briefly if only concurrency or streams were refused. */
const waitOf = ({ remaining, retryAfter }: RateState): number => (remaining > 0 ? 1 : retryAfter)

const rateHeadersOf = (state: RateState) => ({
  "x-ratelimit-limit": String(state.limit),
  "x-ratelimit-remaining": String(state.remaining),
  "x-ratelimit-reset": String(state.resetAt)
})

/** The headers of an answer that is given before anybody counts requests. */
export const uncountedHeaders = (millis: number) => rateHeadersOf(rateState(0, anonymousLimit, millis / 1000))

const withRateHeaders = (response: HttpServerResponse.HttpServerResponse, state: RateState) =>
  HttpServerResponse.setHeaders(response, {
    ...rateHeadersOf(state),
    ...(response.status === 429 ? { "retry-after": String(waitOf(state)) } : {})
  })
