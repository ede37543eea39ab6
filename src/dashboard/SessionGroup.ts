import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { envelope } from "../api/ErrorEnvelope.ts"
import { Contract, Defects } from "../api/Gate.ts"
import { RateLimited, Unauthorized } from "../domain/Errors.ts"
import { Role } from "../domain/User.ts"
import { SameOrigin } from "./SameOrigin.ts"

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
    HttpApiEndpoint.get("get", "/session", { success: Session }),
    HttpApiEndpoint.post("signIn", "/session", {
      payload: SignIn,
      success: Session,
      error: [envelope(Unauthorized), envelope(RateLimited)]
    }),
    HttpApiEndpoint.delete("signOut", "/session", { success: Session })
  )
  .middleware(Contract)
  .middleware(Defects)
  .middleware(SameOrigin) {}
