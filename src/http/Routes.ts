import { Layer } from "effect"
import { HttpApiBuilder, HttpApiScalar } from "effect/http-api"
import { Api } from "../api/Api.ts"
import * as AdminHandlers from "./AdminHandlers.ts"
import { docsHeaders } from "./DocsHeaders.ts"
import * as CorrectionsHandlers from "./CorrectionsHandlers.ts"
import * as ContractLive from "./ContractLive.ts"
import { layerElsewhere } from "./Elsewhere.ts"
import * as Fallback from "./Fallback.ts"
import * as FlowsHandlers from "./FlowsHandlers.ts"
import * as GateLive from "./GateLive.ts"
import * as Operations from "./Operations.ts"
import * as PagesHandlers from "./PagesHandlers.ts"
import * as RequestContext from "./RequestContext.ts"
import * as RunsHandlers from "./RunsHandlers.ts"
import * as SignInHandlers from "./SignInHandlers.ts"
import * as StorageFailures from "./StorageFailures.ts"

/** The contract's endpoints with their handlers, and `/openapi.json`. */
export const layerApi = HttpApiBuilder.layer(Api, { openapiPath: "/openapi.json" }).pipe(
  Layer.provide([
    FlowsHandlers.layer,
    RunsHandlers.layer,
    PagesHandlers.layer,
    CorrectionsHandlers.layer,
    AdminHandlers.layer,
    SignInHandlers.layer
  ]),
  Layer.provide([ContractLive.layer, ContractLive.layerDefects, GateLive.layerUngated, StorageFailures.layer])
)

/**
 * Nothing on the reference page leads to Scalar's services, which would read the description of this API: no tools to share it, and
 * no button that opens it in their client.
 */
const scalar = { withDefaultFonts: false, hideClientButton: true, showDeveloperTools: "never" } as const

/** The reference page; its program is served from here, so that it works offline. */
const docs = HttpApiScalar.layer(Api, { path: "/docs", scalar }).pipe(Layer.provide(docsHeaders))

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
