import { Effect, Layer, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { DashboardApi } from "./DashboardApi.ts"
import * as ExecutionViewsHandlers from "./ExecutionViewsHandlers.ts"
import * as FlowFilesHandlers from "./FlowFilesHandlers.ts"
import * as OpenIdPages from "./OpenIdPages.ts"
import * as Pages from "./Pages.ts"
import * as SessionHandlers from "./SessionHandlers.ts"
import { Sessions } from "../services/users/Sessions.ts"
import * as StorageFailures from "../http/StorageFailures.ts"
import { HttpRouter, HttpServerResponse } from "effect/http"

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'"
].join("; ")

/** Headers of every response of the dashboard that restrict the browser. */
const securityHeaders = HttpRouter.middleware((httpEffect) =>
  Effect.map(httpEffect, (response) =>
    HttpServerResponse.setHeaders(response, {
      "content-security-policy": policy,
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      // Responses must not be stored in a cache that somebody else may read.
      ...(response.headers["cache-control"] === undefined ? { "cache-control": "no-store" } : {})
    })
  )
).layer

/** The dashboard under `/dashboard`: its page, its files, and their API. */
export const layer = Layer.mergeAll(
  HttpApiBuilder.layer(DashboardApi).pipe(
    Layer.provide([SessionHandlers.layer, ExecutionViewsHandlers.layer, FlowFilesHandlers.layer]),
    Layer.provide(StorageFailures.layer)
  ),
  Pages.layer,
  OpenIdPages.layer
).pipe(Layer.provide(securityHeaders))

/**
 * An address that signs in once, within 24 hours. The secret is behind `#`: a browser sends that part to no server, so
 * it gets into no log and no `Referer`, and a program that follows links to preview them does not use it up.
 */
export const signInLink = (address: string) =>
  Effect.flatMap(Sessions, ({ makeLink }) =>
    Effect.map(makeLink, (secret) => `${address}/dashboard#${Redacted.value(secret)}`)
  )
