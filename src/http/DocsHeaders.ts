import { Effect } from "effect"
import { HttpBody, HttpRouter, HttpServerResponse } from "effect/http"
import { hash } from "node:crypto"
import { withSignOut } from "./DocsSignOut.ts"

const inlineScript = /<script\b[^>]*>([\s\S]*?)<\/script>/gu

/** The page is always the same, so it is made once, and its scripts are hashed once. */
let made: { readonly body: HttpBody.Uint8Array; readonly scripts: string } | undefined

const makePage = (plain: Uint8Array) => {
  const page = withSignOut(Buffer.from(plain).toString("utf8"))
  return { body: HttpBody.text(page, "text/html; charset=utf-8"), scripts: scriptSources(page) }
}

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
    made ??= makePage(response.body.body)
    return HttpServerResponse.setHeaders(HttpServerResponse.setBody(response, made.body), {
      "content-security-policy": policyOf(made.scripts),
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin"
    })
  })
).layer
