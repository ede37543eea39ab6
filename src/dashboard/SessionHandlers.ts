import { Effect, Option, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Audit } from "../services/audit/Audit.ts"
import { RateLimited, Unauthorized } from "../domain/Errors.ts"
import { RateLimits } from "../services/limits/RateLimits.ts"
import type { SignIn } from "./DashboardApi.ts"
import { ServedDashboardApi } from "./ServedDashboardApi.ts"
import * as SessionCookie from "./SessionCookie.ts"
import { Sessions } from "./Sessions.ts"
import { asSession } from "./SignedIn.ts"

/** How often one address may try to sign in within a minute. */
export const attemptsPerMinute = 20

/** Signing in and out. */
export const layer = HttpApiBuilder.group(
  ServedDashboardApi,
  "session",
  Effect.fn(function* (handlers) {
    const sessions = yield* Sessions
    const limits = yield* RateLimits
    const audit = yield* Audit

    /** Every attempt counts, right or wrong: otherwise the limit would tell which guess was right. */
    const countAttempt = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const address = Option.getOrElse(request.remoteAddress, () => "unknown")
      const state = yield* limits.count(`sign-in:${address}`, attemptsPerMinute)
      if (!state.allowed) {
        return yield* new RateLimited({
          message: `Too many attempts to sign in: try again in ${state.retryAfter} seconds`,
          details: { retryAfter: state.retryAfter }
        })
      }
    })

    return handlers
      .handle("get", () =>
        Effect.flatMap(SessionCookie.read, sessions.isSignedIn).pipe(Effect.map((signedIn) => ({ signedIn })))
      )
      .handle("signIn", ({ payload }) =>
        Effect.gen(function* () {
          yield* countAttempt
          const secret = Redacted.make(payload.secret.trim())
          const session = yield* sessions.signIn({ kind: payload.kind, secret })
          if (session === undefined) {
            yield* Effect.logWarning(`A sign-in to the dashboard by ${payload.kind} was refused`)
            return yield* new Unauthorized({ message: refusals[payload.kind] })
          }
          yield* SessionCookie.set(session)
          yield* asSession(audit.record({ action: "dashboard.signed-in", subject: payload.kind }))
          return { signedIn: true as const }
        })
      )
      .handle("signOut", () =>
        Effect.gen(function* () {
          yield* sessions.signOut(yield* SessionCookie.read)
          yield* SessionCookie.clear
          return { signedIn: false as const }
        })
      )
  })
)

const refusals: Readonly<Record<SignIn["kind"], string>> = {
  link: "This sign-in link was used before or is older than 24 hours. Sign in with the admin token instead.",
  token: "This is not the admin token."
}
