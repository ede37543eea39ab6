import { Effect, Layer, Predicate, Redacted } from "effect"
import type * as OpenId from "openid-client"
import { IdentityFailure, IdentityProvider } from "./IdentityProvider.ts"

/** How the provider is reached, and which claim names the role. */
export interface OpenIdSettings {
  readonly issuer: string
  readonly clientId: string
  /** None for a public client, which is protected by PKCE alone. */
  readonly clientSecret: Redacted.Redacted | undefined
  readonly roleClaim: string
}

/** Seconds after which a request to the provider fails. */
const patience = 10

/** An OpenID Connect provider: authorization code with PKCE. */
export const layer = (settings: OpenIdSettings) =>
  Layer.effect(
    IdentityProvider,
    Effect.gen(function* () {
      // The library is loaded, and the provider asked for its endpoints, when somebody signs in for the first time.
      const library = yield* Effect.cached(Effect.promise(() => import("openid-client")))
      let discovered: OpenId.Configuration | undefined

      const provider = Effect.gen(function* () {
        const openId = yield* library
        // A failure is not kept: the provider may answer next time.
        discovered ??= yield* asking("its configuration", () => discover(openId, settings))
        return { openId, configuration: discovered }
      })

      const begin = Effect.fn("OpenIdProvider.begin")(function* (redirectUri: string) {
        const { configuration, openId } = yield* provider
        const attempt = {
          state: openId.randomState(),
          nonce: openId.randomNonce(),
          verifier: openId.randomPKCECodeVerifier()
        }
        const challenge = yield* Effect.promise(() => openId.calculatePKCECodeChallenge(attempt.verifier))
        const url = openId.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: "openid profile email",
          state: attempt.state,
          nonce: attempt.nonce,
          code_challenge: challenge,
          code_challenge_method: "S256"
        })
        return { url: url.href, attempt }
      })

      const finish: IdentityProvider["Service"]["finish"] = Effect.fn("OpenIdProvider.finish")(function* (
        returned,
        { nonce, state, verifier }
      ) {
        const { configuration, openId } = yield* provider
        const tokens = yield* asking("the token", () =>
          openId.authorizationCodeGrant(configuration, returned, {
            expectedState: state,
            expectedNonce: nonce,
            pkceCodeVerifier: verifier,
            idTokenExpected: true
          })
        )
        const claims = tokens.claims()
        if (claims === undefined) return yield* new IdentityFailure({ reason: "the token names nobody" })
        return {
          issuer: claims.iss,
          subject: claims.sub,
          name: nameOf(claims),
          claimed: stringsOf(claims[settings.roleClaim])
        }
      })

      return IdentityProvider.of({ isConfigured: true, begin, finish })
    })
  )

const discover = (
  openId: typeof OpenId,
  { clientId, clientSecret, issuer }: OpenIdSettings
): Promise<OpenId.Configuration> => {
  const address = new URL(issuer)
  const authentication =
    clientSecret === undefined ? openId.None() : openId.ClientSecretPost(Redacted.value(clientSecret))
  return openId.discovery(address, clientId, undefined, authentication, {
    timeout: patience,
    execute: [
      // Signatures of tokens are checked although they come over TLS.
      openId.enableNonRepudiationChecks,
      ...(address.protocol === "http:" ? [openId.allowInsecureRequests] : [])
    ]
  })
}

const asking = <A>(what: string, ask: () => Promise<A>) =>
  Effect.mapError(
    Effect.tryPromise(ask),
    ({ cause }) => new IdentityFailure({ reason: `${what}: ${codeOf(cause)}` })
  )

/** The library's messages contain parts of responses; its codes do not. */
const codeOf = (cause: unknown): string => {
  if (Predicate.hasProperty(cause, "error") && typeof cause.error === "string")
    return cause.error.slice(0, 100)
  if (Predicate.hasProperty(cause, "code") && typeof cause.code === "string") return cause.code
  return cause instanceof Error ? cause.name : "failed"
}

/** The name that people know: the e-mail address, the user name, or else the subject. */
const nameOf = ({ email, preferred_username, sub }: Readonly<Record<string, unknown>>): string =>
  [email, preferred_username, sub].find((name) => typeof name === "string" && name !== "")?.toString() ?? ""

const stringsOf = (claim: unknown): ReadonlyArray<string> =>
  (Array.isArray(claim) ? claim : [claim]).filter((part) => typeof part === "string")
