import { Effect, Layer } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { hash } from "node:crypto"
import { Settings } from "../config/Config.ts"
import { type Asset, Assets } from "./Assets.ts"

/** The one page: which view it shows follows from its address. It contains no data, so it is served to everybody. */
const pageOf = (modules: ReadonlyArray<string>, basePath: string, path: string): Asset => {
  const folder = basePath + path
  const bytes = Buffer.from(`<!doctype html>
<html lang="en" data-base="${basePath}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>docflow</title>
<link rel="icon" href="${folder}Icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${folder}Dashboard.css">
${modules.map((name) => `<link rel="modulepreload" href="${folder}${name}">`).join("\n")}
<script type="module" src="${folder}Start.js"></script>
</head>
<body>
<noscript><p>The dashboard needs JavaScript. The administration API and the command line do not.</p></noscript>
<div id="app"></div>
</body>
</html>
`)
  return {
    bytes,
    contentType: "text/html; charset=utf-8",
    lasting: false,
    etag: `"${hash("sha256", bytes, "base64url").slice(0, 27)}"`
  }
}

/**
 * Sends a file, or says that the browser has it. The page is never cached, so that a new version is seen immediately;
 * its files have the fingerprint of the version in their address, and are cached.
 */
const send = (
  request: HttpServerRequest.HttpServerRequest,
  { bytes, contentType, etag }: Asset,
  caching = "no-cache"
) => {
  const headers = { etag, "cache-control": caching }
  return request.headers["if-none-match"] === etag
    ? HttpServerResponse.empty({ status: 304, headers })
    : HttpServerResponse.uint8Array(bytes, { contentType, headers })
}

const forever = "public, max-age=31536000, immutable"

const refusal = (status: number, message: string, headers: { readonly [name: string]: string } = {}) =>
  HttpServerResponse.jsonUnsafe({ error: { code: "INVALID_INPUT", message } }, { status, headers })

const nothingHere = refusal(404, "There is nothing here")
const readOnly = refusal(405, "The pages of the dashboard can only be read", { allow: "GET, HEAD" })

/** The page, at every address of the dashboard, and the files that it loads. */
export const layer = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const assets = yield* Assets
    const prefix = "/dashboard/assets/"
    const current = `v-${assets.fingerprint}/`
    const { basePath } = yield* Settings
    const page = pageOf(assets.modules, basePath, prefix + current)
    yield* router.add("GET", "/", HttpServerResponse.redirect(`${basePath}/dashboard`))
    // Browsers ask for it on pages that name no icon, such as the API reference.
    yield* router.add("GET", "/favicon.ico", (request) =>
      Effect.map(assets.find("Icon.svg"), (icon) => (icon === undefined ? nothingHere : send(request, icon)))
    )
    yield* router.add("*", "/dashboard/api/*", nothingHere)
    yield* router.add("*", "/dashboard/*", (request) => {
      if (request.method !== "GET" && request.method !== "HEAD") return Effect.succeed(readOnly)
      const path = request.url.split("?")[0] ?? ""
      if (!path.startsWith(prefix)) return Effect.succeed(send(request, page))
      const name = path.slice(prefix.length)
      // A page that was loaded before an upgrade still uses the old fingerprint.
      return Effect.map(assets.find(name.replace(/^v-\w+\//u, "")), (asset) => {
        if (asset === undefined) return nothingHere
        return send(request, asset, asset.lasting && name.startsWith(current) ? forever : "no-cache")
      })
    })
  })
).pipe(Layer.provide(Assets.layer))
