import { Effect, Option, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { SignInAttempt } from "../domain/SignInAttempt.ts"
import { Settings } from "../config/Config.ts"
import { asPerson } from "../http/GateLive.ts"
import { publicAddress } from "../http/PublicAddress.ts"
import { remoteNetwork } from "../http/RemoteAddress.ts"
import * as SessionCookie from "../http/SessionCookie.ts"
import { Audit } from "../services/storage/Audit.ts"
import { OpenIdSignIn } from "../services/users/OpenIdSignIn.ts"
import { Sessions } from "../services/users/Sessions.ts"

const folder = "/dashboard/openid"
const cookie = "docflow_openid"
/** `lax`, because the provider's page leads back here; there are ten minutes to sign in there. */
const options = { httpOnly: true, sameSite: "lax", maxAge: "10 minutes" } as const

const Attempt = Schema.fromJsonString(SignInAttempt)
const decodeAttempt = Schema.decodeUnknownOption(Attempt)
const encodeAttempt = Schema.encodeSync(Attempt)

/** The attempt in the cookie of the browser that began it. */
const attemptOf = ({ cookies }: HttpServerRequest.HttpServerRequest) =>
  decodeAttempt(Buffer.from(cookies[cookie] ?? "", "base64url").toString())

/** The pages between the dashboard and an OpenID provider: one leads there, the provider leads to the other. */
export const layer = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const signIn = yield* OpenIdSignIn
    const sessions = yield* Sessions
    const audit = yield* Audit
    if (!signIn.isConfigured) return
    const address = yield* publicAddress
    const { basePath } = yield* Settings
    const path = basePath + folder
    /** The sign-in page, which says what went wrong. */
    const problem = (code: string) => HttpServerResponse.redirect(`${basePath}/dashboard?sign-in=${code}`)
    /** The page that says that the provider did not sign anybody in; why is in the log. */
    const refused = ({ reason }: { readonly reason: string }) =>
      Effect.as(
        Effect.logWarning(`The OpenID provider did not sign anybody in: ${reason}`),
        problem("failed")
      )

    const start = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { attempt, url } = yield* signIn.begin(`${address}${folder}/callback`)
      const kept = Buffer.from(encodeAttempt(attempt)).toString("base64url")
      return HttpServerResponse.setCookieUnsafe(HttpServerResponse.redirect(url), cookie, kept, {
        ...options,
        path,
        secure: SessionCookie.isHttps(request)
      })
    })

    const finish = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const attempt = attemptOf(request)
      if (Option.isNone(attempt)) return problem("expired")
      const returned = new URL(address + request.url)
      const { person, secret } = yield* signIn.finish(returned, attempt.value, yield* remoteNetwork)
      yield* sessions.signOut(yield* SessionCookie.read)
      yield* SessionCookie.set(secret)
      yield* asPerson(person, audit.record({ action: "dashboard.signed-in", subject: "openid" }))
      return HttpServerResponse.redirect(`${basePath}/dashboard`)
    }).pipe(
      Effect.catchTag("NotAdmitted", ({ reason }) => Effect.succeed(problem(reason))),
      Effect.catchTag("RATE_LIMITED", () => Effect.succeed(problem("too-many"))),
      Effect.map((answer) => HttpServerResponse.expireCookieUnsafe(answer, cookie, { ...options, path }))
    )

    yield* router.add("GET", `${folder}/start`, Effect.catchTag(start, "IdentityFailure", refused))
    yield* router.add(
      "GET",
      `${folder}/callback`,
      finish.pipe(Effect.catchTag("IdentityFailure", refused), Effect.catchTag("SqlError", Effect.die))
    )
  })
)
