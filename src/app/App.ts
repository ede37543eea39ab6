import { Effect, Layer, Option } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import type { StepRegistry } from "../../dsl/model/StepRegistry.ts"
import { AdminToken } from "../services/users/AdminToken.ts"
import { Audit } from "../services/storage/Audit.ts"
import { ApiKeys } from "../services/organizations/ApiKeys.ts"
import { Overload } from "../services/admission/Overload.ts"
import { Settings } from "../config/Config.ts"
import * as Dashboard from "../dashboard/Dashboard.ts"
import { DocumentReader } from "../document/DocumentReader.ts"
import { BlobUses } from "../engine/journal/BlobUses.ts"
import * as ClusterLayer from "../engine/placement/ClusterLayer.ts"
import { Dispatcher } from "../engine/placement/Dispatcher.ts"
import { EventLog } from "../engine/journal/EventLog.ts"
import { ExecutionWrites } from "../engine/journal/ExecutionWrites.ts"
import { Journal } from "../engine/journal/Journal.ts"
import { Outcome } from "../engine/journal/Outcome.ts"
import { layerReceiving, OwnRuns } from "../engine/placement/OwnRuns.ts"
import * as Recovery from "../engine/placement/Recovery.ts"
import { LocalDocuments } from "../providers/documents/LocalDocuments.ts"
import { LocalRuns } from "../services/local-runs/LocalRuns.ts"
import * as RecordedAnswers from "../services/test-sets/RecordedAnswers.ts"
import { Runner } from "../engine/placement/Runner.ts"
import { StepKinds } from "../engine/program/StepKinds.ts"
import * as UsedDocuments from "../engine/program/UsedDocuments.ts"
import { ExecutionEvents } from "../services/events/ExecutionEvents.ts"
import { Acceptances } from "../services/admission/Acceptance.ts"
import { ExecutionList } from "../services/executions/ExecutionList.ts"
import { Executions } from "../services/executions/Executions.ts"
import { FirstStart } from "../services/organizations/FirstStart.ts"
import { FlowDrafts } from "../services/proposals/FlowDrafts.ts"
import { Flows } from "../services/flows/Flows.ts"
import * as FlowFolder from "../services/flows/FlowFolder.ts"
import { Admission } from "../http/Admission.ts"
import * as ContractLive from "../http/ContractLive.ts"
import * as GateLive from "../http/GateLive.ts"
import * as HttpServerLayer from "../http/HttpServerLayer.ts"
import { FetchInput } from "../http/FetchInput.ts"
import { JsonBody } from "../http/JsonBody.ts"
import * as Routes from "../http/Routes.ts"
import * as ProcessMetrics from "./ProcessMetrics.ts"
import * as Observability from "./Observability.ts"
import * as Peers from "./Peers.ts"
import { warnOfLittleMemory } from "./ProcessStart.ts"
import { type Platform, platform, storage } from "./StorageLayers.ts"
import { Organizations } from "../services/organizations/Organizations.ts"
import * as LlmModels from "../providers/llm/LlmModels.ts"
import { IdentityProvider } from "../providers/identity/IdentityProvider.ts"
import * as OpenIdProvider from "../providers/identity/OpenIdProvider.ts"
import * as OcrEngine from "../providers/ocr/OcrEngine.ts"
import * as OutboundHttp from "../providers/outbound/OutboundHttp.ts"
import { RateLimits } from "../services/admission/RateLimits.ts"
import { Backtests } from "../services/test-sets/Backtests.ts"
import { ExportedCases } from "../services/test-sets/ExportedCases.ts"
import * as ReportCorrections from "../services/corrections/ReportCorrections.ts"
import { ExecutionCorrections } from "../services/corrections/ExecutionCorrections.ts"
import { ReviewQueue } from "../services/corrections/ReviewQueue.ts"
import { ManagedExamples } from "../services/examples/ManagedExamples.ts"
import * as SimilarExamples from "../services/examples/SimilarExamples.ts"
import { PageViews } from "../services/pages/PageViews.ts"
import { Replays } from "../services/replays/Replays.ts"
import { Archive } from "../services/retention/Archive.ts"
import { Retention } from "../services/retention/Retention.ts"
import { Sandbox } from "../sandbox/Sandbox.ts"
import { allSteps } from "../steps/All.ts"
import * as CurrentLexicon from "../extraction/lexicon/CurrentLexicon.ts"
import { StoredModelAccounts } from "../services/organizations/StoredModelAccounts.ts"
import { UsageOfDays } from "../services/organizations/UsageOfDays.ts"
import * as People from "../services/users/People.ts"
import { Webhooks } from "../services/webhooks/Webhooks.ts"
import * as Deliverer from "../services/webhooks/Deliverer.ts"
import { DeliveryQueue } from "../engine/journal/DeliveryQueue.ts"
import { SealedSecrets } from "../services/storage/SealedSecrets.ts"

const mebibyte = 1024 * 1024

/** Limits of bodies: of a run, the largest file in base64 and the rest; nine of these may be in flight. Other endpoints have their own. */
const bodies = Layer.unwrap(
  Effect.map(Settings, ({ maxFileMB, maxValues, maxVariablesKB, maxVariablesKeys }) => {
    const variables = maxVariablesKB * 1024
    const perRun = Math.ceil((maxFileMB * 4) / 3 + 1) * mebibyte + Math.max(variables, mebibyte)
    return JsonBody.layer({
      perRun,
      inFlight: 9 * perRun,
      requests: 1_000,
      values: maxValues,
      variables,
      keys: maxVariablesKeys
    })
  })
)

const cluster = Layer.unwrap(
  Effect.gen(function* () {
    const { clusterHost, clusterPort, role } = yield* Settings
    const secret = yield* AdminToken
    if (role === "api") return ClusterLayer.layerClient(secret)
    return Option.isSome(clusterHost) && Option.isSome(clusterPort)
      ? ClusterLayer.layerClustered({ host: clusterHost.value, port: clusterPort.value }, secret)
      : ClusterLayer.layerSingle
  })
)

const ocr = Layer.unwrap(
  Effect.gen(function* () {
    const { ocr } = yield* Settings
    yield* OcrEngine.checkLanguages(ocr)
    return OcrEngine.layer(ocr)
  })
)

const documents = Layer.unwrap(
  Effect.map(Settings, ({ ocr, readers }) =>
    DocumentReader.layerWith({ processes: readers, ocrPageLimit: ocr.pageSeconds * 1000 })
  )
).pipe(Layer.provide(ocr))

/** Logs once which sandbox opens the documents. */
const sandboxReport = Layer.effectDiscard(
  Effect.flatMap(Sandbox, ({ mode }) =>
    Effect.logInfo("Documents are opened in a sandbox").pipe(Effect.annotateLogs({ sandbox: mode }))
  )
).pipe(Layer.provide(Sandbox.layer))

const lexicon = Layer.unwrap(
  Effect.map(Settings, ({ lexicon }) => CurrentLexicon.serviceLayer(Option.getOrUndefined(lexicon)))
)

const flows = <R>(steps: StepRegistry<R>) =>
  Flows.layer(DocumentReader.formats).pipe(
    Layer.provideMerge(StepKinds.layer(steps)),
    Layer.provideMerge(
      Layer.mergeAll(
        documents,
        sandboxReport,
        UsedDocuments.layer,
        OutboundHttp.layer,
        lexicon,
        SimilarExamples.layer,
        StoredModelAccounts.layerForSteps
      )
    )
  )

/** Runs test sets, whose documents are in memory and whose answers of models may be recorded. */
const localRuns = <R>(steps: StepRegistry<R>) =>
  LocalRuns.layer.pipe(
    Layer.provide(StepKinds.layer(steps)),
    Layer.provide(LocalDocuments.layer),
    Layer.provide(RecordedAnswers.layer)
  )

const keys = Layer.unwrap(Effect.map(Settings, ({ keyPrefix }) => ApiKeys.layer(keyPrefix)))

const secrets = Layer.unwrap(Effect.map(AdminToken, (token) => SealedSecrets.layer(token)))

/**
 * The keys of the first start, made once the service listens: those of a start that fails would never be shown. A process without
 * the API makes none, because nobody would see them.
 */
const firstStart = Layer.unwrap(
  Effect.map(Settings, ({ role }) =>
    role === "runner" ? Layer.succeed(FirstStart, undefined) : FirstStart.layer
  )
)

/** The OpenID provider of the settings, at which people sign in. */
const identityProvider = Layer.unwrap(
  Effect.map(Settings, ({ oidcClientId, oidcClientSecret, oidcIssuer, oidcRoleClaim }) =>
    Option.isSome(oidcIssuer) && Option.isSome(oidcClientId)
      ? OpenIdProvider.layer({
          issuer: oidcIssuer.value,
          clientId: oidcClientId.value,
          clientSecret: Option.getOrUndefined(oidcClientSecret),
          roleClaim: oidcRoleClaim
        })
      : IdentityProvider.layerNone
  )
)

const retention = Layer.unwrap(
  Effect.map(Settings, ({ executionDays }) => Retention.layerSweeping(Option.getOrUndefined(executionDays)))
)

const overload = Layer.unwrap(Effect.map(Settings, ({ queue }) => Overload.layer(queue)))

const runner = Layer.unwrap(Effect.map(Settings, ({ concurrency }) => Runner.layer(concurrency)))

const runs = Layer.merge(layerReceiving, Recovery.layer)
type NeedsOfRuns = Layer.Services<typeof runs>

const engine = Layer.unwrap(
  Effect.map(Settings, ({ role }): Layer.Layer<never, never, NeedsOfRuns> =>
    role === "api" ? Layer.empty : runs
  )
).pipe(
  Layer.provideMerge(Dispatcher.layer),
  Layer.provideMerge(OwnRuns.layer),
  Layer.provideMerge(runner),
  Layer.provideMerge(cluster),
  Layer.provideMerge(Layer.mergeAll(Journal.layer, Outcome.layer, EventLog.layer)),
  Layer.provideMerge(Layer.mergeAll(BlobUses.layer, DeliveryQueue.layer, ExecutionWrites.layer))
)

/**
 * Everything except HTTP, with the step kinds that flows can use: the part of the service that embedding programs and
 * tests need.
 */
export const layerServices = <R>(steps: StepRegistry<R>) =>
  Layer.mergeAll(
    ExecutionEvents.layer,
    Replays.layer,
    ReviewQueue.layer,
    Layer.provide(Backtests.layer, Replays.layer),
    ManagedExamples.layer,
    ExportedCases.layer,
    UsageOfDays.layer,
    Archive.layer,
    Layer.provide(FlowDrafts.layer, localRuns(steps)),
    Webhooks.layer,
    Deliverer.layer,
    retention
  ).pipe(
    Layer.provideMerge(ReportCorrections.layer),
    Layer.provideMerge(ExecutionCorrections.layer),
    Layer.provideMerge(PageViews.layer),
    Layer.provideMerge(Layer.merge(Executions.layer, ExecutionList.layer)),
    Layer.provideMerge(Acceptances.layer),
    Layer.provideMerge(Layer.provide(People.layer, identityProvider)),
    Layer.provideMerge(
      Layer.mergeAll(Organizations.layer, StoredModelAccounts.layer, keys, RateLimits.layer, overload)
    ),
    Layer.provideMerge(Audit.layer),
    Layer.provideMerge(engine),
    Layer.provideMerge(FlowFolder.layer),
    Layer.provideMerge(flows(steps)),
    Layer.provideMerge(secrets),
    Layer.provideMerge(Peers.OwnProcess.layer),
    Layer.provideMerge(storage),
    // Before a database is made, which takes seconds.
    Layer.provideMerge(LlmModels.layerConfig),
    Layer.provideMerge(AdminToken.layer),
    Layer.provideMerge(platform)
  )

const gates = Layer.mergeAll(
  GateLive.layer,
  Layer.unwrap(Effect.map(AdminToken, (token) => GateLive.layerAdmin(token)))
).pipe(Layer.provideMerge(Admission.layer))

const server = Layer.unwrap(
  Effect.map(Settings, ({ basePath, host, port, tlsCert, tlsKey, trustedProxies }) => {
    const listen = { basePath, host, port, trustedProxies }
    const chosen: Layer.Layer<ServerServices, ServerError, Platform> =
      Option.isSome(tlsCert) && Option.isSome(tlsKey)
        ? HttpServerLayer.layerTls(listen, { certificate: tlsCert.value, key: tlsKey.value })
        : HttpServerLayer.layer(listen)
    return chosen
  })
)
type ServerServices = Layer.Success<ReturnType<typeof HttpServerLayer.layerTls>>
type ServerError = Layer.Error<ReturnType<typeof HttpServerLayer.layerTls>>

const dashboard = Dashboard.layer.pipe(Layer.provide([ContractLive.layer, ContractLive.layerDefects]))

const routes = Layer.unwrap(
  Effect.map(Settings, ({ role }) =>
    role === "runner" ? Routes.layerOfRunner : Layer.merge(Routes.layer, dashboard)
  )
)

/** The HTTP service; `HttpServer` says where it listens. */
export const layerHttp = HttpRouter.serve(routes, Routes.serving).pipe(
  Layer.updateService(HttpServer.HttpServer, HttpServerLayer.withRoomForRequests),
  Layer.provide(Layer.mergeAll(gates, bodies, FetchInput.layer)),
  Layer.provideMerge(server)
)

/** The whole service except its logging, with the step kinds that flows can use. */
export const layerWith = <R>(steps: StepRegistry<R>) =>
  Layer.mergeAll(firstStart, ExecutionEvents.layerDrain, ProcessMetrics.layer, Peers.layer).pipe(
    Layer.provideMerge(layerHttp),
    Layer.provideMerge(layerServices(steps))
  )

const memoryWarning = Layer.effectDiscard(
  Effect.flatMap(Settings, ({ databaseUrl }) => warnOfLittleMemory(Option.isNone(databaseUrl)))
)

/** The whole service, as it is started; `own` are step kinds in addition to docflow's. */
export const layerBeside = (own: StepRegistry<never>) => {
  const steps: typeof allSteps = { kinds: new Map([...own.kinds, ...allSteps.kinds]) }
  return layerWith(steps).pipe(Layer.provide(memoryWarning), Layer.provideMerge(Observability.layer))
}
