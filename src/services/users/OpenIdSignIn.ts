import { Context, Effect, Layer, Schema } from "effect"
import type { SqlError } from "effect/sql"
import { RateLimited } from "../../domain/Errors.ts"
import type { SignInAttempt } from "../../domain/SignInAttempt.ts"
import { type Role, roles, UserName } from "../../domain/User.ts"
import {
  type Identity,
  type IdentityFailure,
  IdentityProvider,
  type SignInStart
} from "../../providers/identity/IdentityProvider.ts"
import { RateLimits } from "../admission/RateLimits.ts"
import { type NewSession, Sessions } from "./Sessions.ts"
import { attemptsOfAddress } from "./SignIns.ts"
import { Users } from "./Users.ts"

/** Why somebody whom the provider knows may not come in. */
export class NotAdmitted extends Schema.TaggedError<NotAdmitted>()("NotAdmitted", {
  reason: Schema.Literals(["no-role", "disabled", "name-taken", "bad-name"])
}) {}

/** Signing in at an OpenID provider; whoever comes for the first time becomes a user. */
export class OpenIdSignIn extends Context.Service<
  OpenIdSignIn,
  {
    readonly isConfigured: boolean
    begin(redirectUri: string): Effect.Effect<SignInStart, IdentityFailure>
    /** A session for whoever the provider sent back, with the role that it names. */
    finish(
      returned: URL,
      attempt: SignInAttempt,
      address: string
    ): Effect.Effect<NewSession, IdentityFailure | NotAdmitted | RateLimited | SqlError.SqlError>
  }
>()("docflow/OpenIdSignIn") {
  static readonly layer = Layer.effect(
    OpenIdSignIn,
    Effect.gen(function* () {
      const provider = yield* IdentityProvider
      const limits = yield* RateLimits
      const users = yield* Users
      const sessions = yield* Sessions

      const admit = Effect.fnUntraced(function* (identity: Identity) {
        const role = highest(identity.claimed)
        if (role === undefined) return yield* new NotAdmitted({ reason: "no-role" })
        if (!isUserName(identity.name)) return yield* new NotAdmitted({ reason: "bad-name" })
        const { issuer, name, subject } = identity
        const user = yield* users.meet({ issuer, subject, name, role })
        if (user === undefined) return yield* new NotAdmitted({ reason: "name-taken" })
        const session = yield* sessions.signIn({ kind: "openid", userId: user.id })
        return session ?? (yield* new NotAdmitted({ reason: "disabled" }))
      })

      const finish: OpenIdSignIn["Service"]["finish"] = Effect.fn("OpenIdSignIn.finish")(
        function* (returned, attempt, address) {
          const state = yield* limits.count(`sign-in:${address}`, attemptsOfAddress)
          if (!state.allowed) {
            return yield* new RateLimited({
              message: `Too many attempts to sign in: try again in ${state.retryAfter} seconds`
            })
          }
          return yield* admit(yield* provider.finish(returned, attempt))
        }
      )

      return OpenIdSignIn.of({ isConfigured: provider.isConfigured, begin: provider.begin, finish })
    })
  )
}

/** The highest role among some strings. */
const highest = (claimed: ReadonlyArray<string>): Role | undefined =>
  roles.findLast((role) => claimed.includes(role))

const isUserName = Schema.is(UserName)
