import { Schema } from "effect"

/** What is kept in the browser while somebody signs in at an OpenID provider. */
export const SignInAttempt = Schema.Struct({
  state: Schema.String,
  nonce: Schema.String,
  /** The secret of PKCE: only the browser that began the sign-in can end it. */
  verifier: Schema.String
})
export type SignInAttempt = typeof SignInAttempt.Type
