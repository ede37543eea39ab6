import { Context, Effect, Layer, Schema } from "effect"
import type { SignInAttempt } from "../../domain/SignInAttempt.ts"

/** The provider did not say who somebody is; the reason contains no secret and no token. */
export class IdentityFailure extends Schema.TaggedError<IdentityFailure>()("IdentityFailure", {
  reason: Schema.String
}) {}

/** Who somebody is, by the provider. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  readonly name: string
  /** The strings of the claim that names the role. */
  readonly claimed: ReadonlyArray<string>
}

/** Where somebody signs in, and what the browser keeps meanwhile. */
export interface SignInStart {
  readonly url: string
  readonly attempt: SignInAttempt
}

/** A provider at which people sign in instead of with a password here. */
export class IdentityProvider extends Context.Service<
  IdentityProvider,
  {
    readonly isConfigured: boolean
    /** Begins a sign-in; the provider sends the browser back to `redirectUri`. */
    begin(redirectUri: string): Effect.Effect<SignInStart, IdentityFailure>
    /** Ends it with the address to which the browser was sent back. */
    finish(returned: URL, attempt: SignInAttempt): Effect.Effect<Identity, IdentityFailure>
  }
>()("docflow/IdentityProvider") {
  /** No provider is configured. */
  static readonly layerNone = Layer.succeed(IdentityProvider, {
    isConfigured: false,
    begin: () => Effect.fail(notConfigured),
    finish: () => Effect.fail(notConfigured)
  })
}

const notConfigured = new IdentityFailure({ reason: "no OpenID provider is configured" })
