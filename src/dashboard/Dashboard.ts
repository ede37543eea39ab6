import { Effect, Layer, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { DashboardApi } from "./DashboardApi.ts"
import * as ExampleHandlers from "./ExampleHandlers.ts"
import * as ExecutionHandlers from "./ExecutionHandlers.ts"
import * as FlowHandlers from "./FlowHandlers.ts"
import * as OpenIdPages from "./OpenIdPages.ts"
import * as OrganizationHandlers from "./OrganizationHandlers.ts"
import * as Pages from "./Pages.ts"
import * as SameOrigin from "./SameOrigin.ts"
import * as SessionHandlers from "./SessionHandlers.ts"
import * as SignedIn from "./SignedIn.ts"
import * as TryHandlers from "./TryHandlers.ts"
import { Sessions } from "../services/users/Sessions.ts"
import * as UsageHandlers from "./UsageHandlers.ts"
import * as UserHandlers from "./UserHandlers.ts"
import { FlowDrafts } from "../services/flows/FlowDrafts.ts"
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
    Layer.provide([
      SessionHandlers.layer,
      OrganizationHandlers.layer,
      ExecutionHandlers.layer,
      ExampleHandlers.layer,
      FlowHandlers.layer,
      TryHandlers.layer,
      UserHandlers.layer,
      UsageHandlers.layer
    ]),
    Layer.provide([SignedIn.layer, SameOrigin.layer, StorageFailures.layer])
  ),
  Pages.layer,
  OpenIdPages.layer
).pipe(Layer.provide(securityHeaders), Layer.provide(FlowDrafts.layer))

/**
 * An address that signs in once, within 24 hours. The secret is behind `#`: a browser sends that part to no server, so
 * it gets into no log and no `Referer`, and a program that follows links to preview them does not use it up.
 */
export const signInLink = (address: string) =>
  Effect.flatMap(Sessions, ({ makeLink }) =>
    Effect.map(makeLink, (secret) => `${address}/dashboard#${Redacted.value(secret)}`)
  )
