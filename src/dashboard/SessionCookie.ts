import { Effect, Option, Redacted } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"

const name = "docflow_session"
const options = { httpOnly: true, sameSite: "strict", path: "/dashboard" } as const

/** Whether the person's browser speaks HTTPS: with this process, or with a trusted proxy in front of it. */
const isHttps = (request: HttpServerRequest.HttpServerRequest): boolean =>
  Option.exists(HttpServerRequest.toURL(request), ({ protocol }) => protocol === "https:") ||
  ("socket" in request.source &&
    typeof request.source.socket === "object" &&
    request.source.socket !== null &&
    "encrypted" in request.source.socket)

/** The secret of the session that the request belongs to; empty when it has none. */
export const read = Effect.map(HttpServerRequest.HttpServerRequest, ({ cookies }) =>
  Redacted.make(cookies[name] ?? "", { label: "dashboard session" })
)

/** Gives the browser its session. */
export const set = (secret: Redacted.Redacted) =>
  HttpEffect.appendPreResponseHandler((request, response) =>
    Effect.orDie(
      HttpServerResponse.setCookie(response, name, Redacted.value(secret), {
        ...options,
        secure: isHttps(request)
      })
    )
  )

/** Makes the browser forget its session. */
export const clear = HttpEffect.appendPreResponseHandler((request, response) =>
  Effect.orDie(HttpServerResponse.expireCookie(response, name, { ...options, secure: isHttps(request) }))
)
