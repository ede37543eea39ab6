import { Effect, Layer, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentPerson } from "../api/Gate.ts"
import { ValidationFailed } from "../domain/Errors.ts"
import { Audit } from "../services/storage/Audit.ts"
import { includesRole, type Person, roles } from "../domain/User.ts"
import { askToWaitAsToldIn } from "../http/Admission.ts"
import { remoteNetwork } from "../http/RemoteAddress.ts"
import type { SignIn } from "./SessionGroup.ts"
import { ServedDashboardApi } from "./DashboardApi.ts"
import { asPerson } from "../http/GateLive.ts"
import { requireSameOrigin } from "../http/SameOrigin.ts"
import * as SessionCookie from "../http/SessionCookie.ts"
import { Sessions } from "../services/users/Sessions.ts"
import { OpenIdSignIn } from "../services/users/OpenIdSignIn.ts"
import { type OwnCredential, SignIns } from "../services/users/SignIns.ts"
import { Users } from "../services/users/Users.ts"

const session = HttpApiBuilder.group(
  ServedDashboardApi,
  "session",
  Effect.fn(function* (handlers) {
    const sessions = yield* Sessions
    const signIns = yield* SignIns
    const users = yield* Users
    const audit = yield* Audit

    const openId = yield* OpenIdSignIn

    /** How people can sign in. */
    const ways = Effect.map(users.anyPassword, (hasUsers) => ({ hasUsers, hasOpenId: openId.isConfigured }))

    return handlers
      .handle("get", () =>
        Effect.gen(function* () {
          yield* requireSameOrigin
          const person = yield* sessions.find(yield* SessionCookie.read)
          return { ...shown(person), ...(yield* ways) }
        })
      )
      .handle("signIn", ({ payload }) =>
        Effect.gen(function* () {
          yield* requireSameOrigin
          const { person, secret } = yield* signIns
            .signIn(credentialOf(payload), yield* remoteNetwork)
            .pipe(Effect.tapErrorTag("RATE_LIMITED", askToWaitAsToldIn))
          // The session that the browser had ends: whoever set its cookie must not share the new one.
          yield* sessions.signOut(yield* SessionCookie.read)
          yield* SessionCookie.set(secret)
          yield* asPerson(person, audit.record({ action: "dashboard.signed-in", subject: payload.kind }))
          return { ...shown(person), ...(yield* ways) }
        })
      )
      .handle("signOut", () =>
        Effect.gen(function* () {
          yield* requireSameOrigin
          yield* sessions.signOut(yield* SessionCookie.read)
          yield* SessionCookie.clear
          return { ...shown(undefined), ...(yield* ways) }
        })
      )
  })
)

const account = HttpApiBuilder.group(
  ServedDashboardApi,
  "account",
  Effect.fn(function* (handlers) {
    const signIns = yield* SignIns
    return handlers.handle("changePassword", ({ payload: { current, next } }) =>
      Effect.gen(function* () {
        const { user } = yield* CurrentPerson
        if (user === undefined)
          return yield* new ValidationFailed({ message: "You are not signed in as a user." })
        const own = { user, current: Redacted.make(current), next: Redacted.make(next) }
        const made = yield* signIns.changePassword(own, yield* remoteNetwork).pipe(
          // 401 would tell the page that the session has ended.
          Effect.catchTag("UNAUTHORIZED", ({ message }) => new ValidationFailed({ message })),
          Effect.catchTag("UserNotFound", Effect.die)
        )
        yield* SessionCookie.set(made.secret)
        return { changed: true as const }
      })
    )
  })
)

/** Signing in and out, and what users change about themselves. */
export const layer = Layer.merge(session, account)

const shown = (person: Person | undefined) => ({
  signedIn: person !== undefined,
  role: person?.role ?? null,
  roles: person === undefined ? [] : roles.filter((role) => includesRole(person.role, role)),
  name: person?.user?.name ?? null,
  hasPassword: person?.user?.hasPassword ?? false
})

const credentialOf = (payload: SignIn): OwnCredential =>
  payload.kind === "password"
    ? { kind: "password", name: payload.name.trim(), password: Redacted.make(payload.password) }
    : { kind: payload.kind, secret: Redacted.make(payload.secret.trim()) }
