import { Context, Effect, Layer, type Redacted } from "effect"
import type { SqlError } from "effect/sql"
import { hash } from "node:crypto"
import { RateLimited, Unauthorized, type ValidationFailed } from "../../domain/Errors.ts"
import { RateLimits } from "../admission/RateLimits.ts"
import { type Credential, type NewSession, Sessions } from "./Sessions.ts"
import { type UserNotFound, Users } from "./Users.ts"

/** The number of times that one address may try to sign in within a minute. */
export const attemptsOfAddress = 20
/** The number of times that anybody may try the password of one name within a minute. */
export const attemptsOfName = 5

/** A credential that docflow checks itself. */
export type OwnCredential = Exclude<Credential, { readonly kind: "openid" }>

/** Whose password is changed, and from where. */
interface OwnPassword {
  readonly user: { readonly id: string; readonly name: string }
  readonly current: Redacted.Redacted
  readonly next: Redacted.Redacted
}

/** Signing in, within the limits that keep anybody from guessing. */
export class SignIns extends Context.Service<
  SignIns,
  {
    /** A new session for the right credential. `address` is where the attempt comes from. */
    signIn(
      credential: OwnCredential,
      address: string
    ): Effect.Effect<NewSession, RateLimited | Unauthorized | SqlError.SqlError>
    /** Gives a user who knows the current password a new one and a new session; the other sessions end. */
    changePassword(
      own: OwnPassword,
      address: string
    ): Effect.Effect<
      NewSession,
      RateLimited | Unauthorized | ValidationFailed | UserNotFound | SqlError.SqlError
    >
  }
>()("docflow/SignIns") {
  static readonly layer = Layer.effect(
    SignIns,
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const users = yield* Users
      const limits = yield* RateLimits

      /** Every attempt counts, right or wrong: otherwise the limit would tell which guess was right. */
      const count = Effect.fnUntraced(function* (bucket: string, limit: number) {
        const state = yield* limits.count(bucket, limit)
        if (state.allowed) return
        return yield* new RateLimited({
          message: `Too many attempts to sign in: try again in ${state.retryAfter} seconds`,
          details: { retryAfter: state.retryAfter }
        })
      })

      const countBoth = Effect.fnUntraced(function* (address: string, name: string | undefined) {
        yield* count(`sign-in:${address}`, attemptsOfAddress)
        // By its hash: people type passwords into the wrong field.
        if (name !== undefined)
          yield* count(`sign-in-name:${hash("sha256", name.toLowerCase())}`, attemptsOfName)
      })

      const signIn: SignIns["Service"]["signIn"] = Effect.fn("SignIns.signIn")(
        function* (credential, address) {
          yield* countBoth(address, credential.kind === "password" ? credential.name : undefined)
          const made = yield* sessions.signIn(credential)
          if (made !== undefined) return made
          yield* Effect.logWarning(`A sign-in by ${credential.kind} was refused`)
          return yield* new Unauthorized({ message: refusals[credential.kind] })
        }
      )

      const changePassword: SignIns["Service"]["changePassword"] = Effect.fn("SignIns.changePassword")(
        function* ({ current, next, user: { id, name } }, address) {
          yield* countBoth(address, name)
          if (!(yield* users.hasPassword(id, current)))
            return yield* new Unauthorized({ message: "The current password is wrong." })
          yield* users.change(id, { password: next })
          const made = yield* sessions.signIn({ kind: "password", name, password: next })
          return made ?? (yield* new Unauthorized({ message: refusals.password }))
        }
      )

      return SignIns.of({ signIn, changePassword })
    })
  )
}

const refusals: Readonly<Record<OwnCredential["kind"], string>> = {
  link: "This sign-in link was used before or is older than 24 hours. Sign in in another way.",
  token: "This is not the admin token.",
  // The same for an unknown name, a wrong password and a disabled user.
  password: "Wrong name or password, or the user is disabled."
}
