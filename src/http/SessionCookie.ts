import { Effect, Option, Redacted } from "effect"
import { type Cookies, HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"

const name = "docflow_session"
const options = { httpOnly: true, sameSite: "strict", path: "/" } as const

/** Whether the person's browser speaks HTTPS: with this process, or with a trusted proxy in front of it. */
export const isHttps = (request: HttpServerRequest.HttpServerRequest): boolean =>
  Option.exists(HttpServerRequest.toURL(request), ({ protocol }) => protocol === "https:") ||
  ("socket" in request.source &&
    typeof request.source.socket === "object" &&
    request.source.socket !== null &&
    "encrypted" in request.source.socket)

/** The session secret of the request; empty if it has none. */
export const read = Effect.map(HttpServerRequest.HttpServerRequest, ({ cookies }) =>
  Redacted.make(cookies[name] ?? "", { label: "dashboard session" })
)

/** Sets the cookie; reads `request` here, where it is as the trusted proxy forwarded it. */
const change = (
  how: (
    response: HttpServerResponse.HttpServerResponse,
    attributes: typeof options & { readonly secure: boolean }
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, Cookies.CookiesError>
) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const attributes = { ...options, secure: isHttps(request) }
    return HttpEffect.appendPreResponseHandler((_request, response) =>
      Effect.orDie(how(response, attributes))
    )
  })

/** Gives the browser its session. */
export const set = (secret: Redacted.Redacted) =>
  change((response, attributes) =>
    HttpServerResponse.setCookie(response, name, Redacted.value(secret), attributes)
  )

/** Makes the browser forget its session. */
export const clear = change((response, attributes) =>
  HttpServerResponse.expireCookie(response, name, attributes)
)
