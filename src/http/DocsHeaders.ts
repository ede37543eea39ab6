import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { hash } from "node:crypto"

const inlineScript = /<script\b[^>]*>([\s\S]*?)<\/script>/gu

/** The page always has the same scripts, so they are hashed once. */
let scripts: string | undefined

const scriptSources = (page: string): string =>
  [...page.matchAll(inlineScript)]
    .map(([, code]) => `'sha256-${hash("sha256", code ?? "", "base64")}'`)
    .join(" ")

const policyOf = (sources: string): string =>
  [
    "default-src 'none'",
    `script-src ${sources}`,
    // The reference page creates its styles at run time.
    "style-src 'self' 'unsafe-inline'",
    "connect-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'"
  ].join("; ")

/** Allows the reference page only its own scripts, no frame around it, and no requests to other hosts. */
export const docsHeaders = HttpRouter.middleware((httpEffect) =>
  Effect.map(httpEffect, (response) => {
    if (response.body._tag !== "Uint8Array") return response
    scripts ??= scriptSources(Buffer.from(response.body.body).toString("utf8"))
    return HttpServerResponse.setHeaders(response, {
      "content-security-policy": policyOf(scripts),
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin"
    })
  })
).layer
