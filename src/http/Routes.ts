import { Effect, Layer } from "effect"
import { HttpApiBuilder, HttpApiScalar, OpenApi } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { Settings } from "../config/Config.ts"
import { isUnrouted } from "./Fallback.ts"
import { pathsOfOperators } from "./Operations.ts"
import { HttpBody, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { errorAnswer, methodRefused } from "./Answers.ts"
import { hash } from "node:crypto"
import * as AdminHandlers from "./AdminHandlers.ts"
import * as CorrectionsHandlers from "./CorrectionsHandlers.ts"
import * as ContractLive from "./ContractLive.ts"
import * as Fallback from "./Fallback.ts"
import * as FlowsHandlers from "./FlowsHandlers.ts"
import * as Operations from "./Operations.ts"
import * as PagesHandlers from "./PagesHandlers.ts"
import * as RequestContext from "./RequestContext.ts"
import * as RunsHandlers from "./RunsHandlers.ts"
import * as StorageFailures from "./StorageFailures.ts"

/**
 * A script of the reference page, which may be shown in a tab of the dashboard: when another tab signs out, it forgets what was
 * edited here and not saved. The names are those of the dashboard, whose client runs in no other page.
 */
const script = `<script>
      new BroadcastChannel("docflow:session").addEventListener("message", ({ data }) => {
        if (data !== "signed out") return
        for (const name of Object.keys(sessionStorage))
          if (name.startsWith("docflow:edit:")) sessionStorage.removeItem(name)
      })
    </script>
  `

/** The reference page with that script, which listens before the page's own large program runs. */
const withSignOut = (page: string): string => page.replace("</head>", () => `${script}</head>`)

const inlineScript = /<script\b[^>]*>([\s\S]*?)<\/script>/gu

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
const docsHeaders = HttpRouter.middleware(
  Effect.sync(() => {
    // The page is always the same, so it is made once, and its scripts are hashed once.
    let made: ReturnType<typeof makePage> | undefined
    return (httpEffect) =>
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
  })
).layer

const notHere = errorAnswer(
  404,
  "INVALID_INPUT",
  "This process only runs executions (DOCFLOW_ROLE=runner). Send requests to a process whose role is api or all"
)

const answerUnrouted = Effect.map(HttpServerRequest.HttpServerRequest, ({ method, url }) =>
  pathsOfOperators.includes(url.split("?", 1)[0] ?? "") ? methodRefused(method, ["GET"]) : notHere
)

/** Answers requests that a process without the API has no route for. */
export const layerElsewhere = HttpRouter.middleware(
  Effect.succeed((httpEffect) =>
    Effect.catch(httpEffect, (error) => (isUnrouted(error) ? answerUnrouted : Effect.fail(error)))
  ),
  { global: true }
)

/** The contract, whose document names the base path as its server. */
const servedApi = Effect.map(Settings, ({ basePath }) =>
  basePath === "" ? Api : Api.annotate(OpenApi.Servers, [{ url: basePath }])
)

/** The contract's endpoints with their handlers, and `/openapi.json`. */
export const layerApi = Layer.unwrap(
  Effect.map(servedApi, (api) => HttpApiBuilder.layer(api, { openapiPath: "/openapi.json" }))
).pipe(
  Layer.provide([
    FlowsHandlers.layer,
    RunsHandlers.layer,
    PagesHandlers.layer,
    CorrectionsHandlers.layer,
    AdminHandlers.layer
  ]),
  Layer.provide([ContractLive.layer, ContractLive.layerDefects, StorageFailures.layer])
)

/**
 * Nothing on the reference page leads to Scalar's services, which would read the description of this API: no tools to share it, and
 * no button that opens it in their client.
 */
const scalar = { withDefaultFonts: false, hideClientButton: true, showDeveloperTools: "never" } as const

/** The reference page; its program is served from here, so that it works offline. */
const docs = Layer.unwrap(
  Effect.map(servedApi, (api) => HttpApiScalar.layer(api, { path: "/docs", scalar }))
).pipe(Layer.provide(docsHeaders))

/** Every route of the service. */
export const layer = Layer.mergeAll(layerApi, docs, Operations.layer, Fallback.layer).pipe(
  Layer.provide(RequestContext.layer)
)

/** The routes of a process that only runs executions: those for operators. */
export const layerOfRunner = Layer.merge(Operations.layer, layerElsewhere).pipe(
  Layer.provide(RequestContext.layer)
)

/** Options of the server. Ids of any length are looked up, because Node.js refuses requests with a head over 16 KB. */
export const serving = {
  disableLogger: true,
  disableListenLog: true,
  routerConfig: { maxParamLength: 16 * 1024 }
} as const
