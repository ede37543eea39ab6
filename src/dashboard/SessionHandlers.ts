import { Effect, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Audit } from "../services/storage/Audit.ts"
import { includesRole, roles } from "../domain/User.ts"
import { askToWaitAsToldIn } from "../http/Admission.ts"
import { remoteNetwork } from "../http/RemoteAddress.ts"
import type { SignIn } from "./SessionGroup.ts"
import { ServedDashboardApi } from "./ServedDashboardApi.ts"
import * as SessionCookie from "./SessionCookie.ts"
import { type Person, Sessions } from "../services/users/Sessions.ts"
import { OpenIdSignIn } from "../services/users/OpenIdSignIn.ts"
import { type OwnCredential, SignIns } from "../services/users/SignIns.ts"
import { Users } from "../services/users/Users.ts"
import { asPerson } from "./SignedIn.ts"

/** Signing in and out. */
export const layer = HttpApiBuilder.group(
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
          const person = yield* sessions.find(yield* SessionCookie.read)
          return { ...shown(person), ...(yield* ways) }
        })
      )
      .handle("signIn", ({ payload }) =>
        Effect.gen(function* () {
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
          yield* sessions.signOut(yield* SessionCookie.read)
          yield* SessionCookie.clear
          return { ...shown(undefined), ...(yield* ways) }
        })
      )
  })
)

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
