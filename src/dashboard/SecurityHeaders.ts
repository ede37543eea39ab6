import { Effect } from "effect"
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

/** What every answer of the dashboard tells the browser not to do. */
export const securityHeaders = HttpRouter.middleware((httpEffect) =>
  Effect.map(httpEffect, (response) =>
    HttpServerResponse.setHeaders(response, {
      "content-security-policy": policy,
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      // What people see here is not for a cache that somebody else may read.
      ...(response.headers["cache-control"] === undefined ? { "cache-control": "no-store" } : {})
    })
  )
).layer
