import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { envelope } from "../api/ErrorEnvelope.ts"
import { AdminGate, Contract, Defects } from "../api/Gate.ts"
import { Forbidden, RateLimited, Unauthorized, ValidationFailed } from "../domain/Errors.ts"
import { NewPassword, Role } from "../domain/User.ts"

const secret = Schema.String.check(Schema.isBetweenLength(1, 1000))

/** The credentials of a sign-in: the secret of a link, the admin token, or a user's name and password. */
export const SignIn = Schema.Union([
  Schema.Struct({ kind: Schema.Literals(["link", "token"]), secret }),
  Schema.Struct({
    kind: Schema.Literal("password"),
    name: Schema.String.check(Schema.isBetweenLength(1, 200)),
    password: secret
  })
])
export type SignIn = typeof SignIn.Type

/** Whether somebody is signed in, and how one can sign in. */
export const Session = Schema.Struct({
  signedIn: Schema.Boolean,
  /** Null if nobody is signed in. */
  role: Schema.NullOr(Role),
  /** The role and those that it includes. */
  roles: Schema.Array(Role),
  /** The name of the user; null for the admin token and sign-in links, which belong to nobody in particular. */
  name: Schema.NullOr(Schema.String),
  /** Whether the user signs in with a password, which can be changed here. */
  hasPassword: Schema.Boolean,
  /** Whether anybody can sign in with a name and a password. */
  hasUsers: Schema.Boolean,
  /** Whether people can sign in at an OpenID provider. */
  hasOpenId: Schema.Boolean
})
export type Session = typeof Session.Type

/** Signing in and out: the only endpoints of the dashboard that need no session. */
export class SessionGroup extends HttpApiGroup.make("session")
  .add(
    HttpApiEndpoint.get("get", "/session", { success: Session, error: envelope(Forbidden) }),
    HttpApiEndpoint.post("signIn", "/session", {
      payload: SignIn,
      success: Session,
      error: [envelope(Forbidden), envelope(Unauthorized), envelope(RateLimited)]
    }),
    HttpApiEndpoint.delete("signOut", "/session", { success: Session, error: envelope(Forbidden) })
  )
  .middleware(Contract)
  .middleware(Defects) {}

/** What users change about themselves. */
export class AccountGroup extends HttpApiGroup.make("account")
  .add(
    HttpApiEndpoint.put("changePassword", "/account/password", {
      payload: Schema.Struct({ current: secret, next: NewPassword }),
      success: Schema.Struct({ changed: Schema.Literal(true) }),
      error: [envelope(ValidationFailed), envelope(RateLimited)]
    })
  )
  .middleware(Contract)
  .middleware(Defects)
  .middleware(AdminGate) {}
