import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { HttpClientRequest, HttpServer } from "effect/http"
import { HttpApiMiddleware, HttpApiTest } from "effect/http-api"
import { Api } from "../../src/api/Api.ts"
import { exampleCancelled, exampleExecution, exampleFlow, exampleFlowItem } from "../../src/api/Examples.ts"
import { ApiKeys } from "../../src/services/organizations/ApiKeys.ts"
import { AdminGate, CurrentCaller, CurrentPerson, Gate } from "../../src/api/Gate.ts"
import { type Caller, allScopes } from "../../src/domain/ApiKey.ts"
import {
  ExecutionNotFound,
  FlowNotFound,
  NotCancellable,
  Unauthorized,
  VersionNotFound
} from "../../src/domain/Errors.ts"
import { ExecutionEvents } from "../../src/services/events/ExecutionEvents.ts"
import { ExecutionCorrections } from "../../src/services/corrections/ExecutionCorrections.ts"
import { ExecutionList } from "../../src/services/executions/ExecutionList.ts"
import { Executions } from "../../src/services/executions/Executions.ts"
import { Flows } from "../../src/services/flows/Flows.ts"
import * as ContractLive from "../../src/http/ContractLive.ts"
import * as FlowsHandlers from "../../src/http/FlowsHandlers.ts"
import type { Execution } from "../../src/domain/Execution.ts"
import { FlowDrafts } from "../../src/services/proposals/FlowDrafts.ts"
import { Sessions } from "../../src/services/users/Sessions.ts"
import { Replays } from "../../src/services/replays/Replays.ts"
import { FetchInput } from "../../src/http/FetchInput.ts"
import { JsonBody } from "../../src/http/JsonBody.ts"
import * as RunsHandlers from "../../src/http/RunsHandlers.ts"
import * as StorageFailures from "../../src/http/StorageFailures.ts"
import { defined } from "../../src/support/Defined.ts"

// The handlers alone, through a typed client in memory: what they make of what the services say.
const caller: Caller = {
  keyId: "key_1",
  organizationId: "org_1",
  environment: "live",
  scopes: allScopes,
  plan: "pro",
  customLimits: {}
}

const gate = Layer.succeed(
  Gate,
  Gate.of({
    bearer: (httpEffect, { credential }) =>
      Redacted.value(credential) === "a-key"
        ? Effect.provideService(httpEffect, CurrentCaller, caller)
        : new Unauthorized({ message: "Invalid API key" })
  })
)

const withKey = (key: string) =>
  HttpApiMiddleware.layerClient(Gate, ({ next, request }) =>
    next(HttpClientRequest.bearerToken(request, key))
  )

/** Of the group that is not tested here. */
const adminGate = Layer.merge(
  Layer.succeed(
    AdminGate,
    AdminGate.of({
      bearer: (httpEffect) =>
        Effect.provideService(httpEffect, CurrentPerson, { role: "administrator", user: undefined })
    })
  ),
  HttpApiMiddleware.layerClient(AdminGate, ({ next, request }) => next(request))
)

const flows = Layer.mock(Flows, {
  list: ({ limit, offset }) => Effect.succeed({ flows: offset === 0 ? [exampleFlowItem] : [], total: limit }),
  get: (flowId, version) => {
    if (flowId !== "invoice") return new FlowNotFound({ message: `Flow not found: ${flowId}` })
    return version === undefined || version === "1.0.0"
      ? Effect.succeed(exampleFlow)
      : new VersionNotFound({ message: `Version not found: ${version}` })
  }
})

const { id, flowId, version, createdAt } = exampleExecution
const pending: Execution = { id, flowId, version, status: "pending", createdAt }

const missing = new ExecutionNotFound({ message: "Execution not found" })

const executions = Layer.mock(Executions, {
  accept: () =>
    Effect.succeed({
      _tag: "New",
      credits: 10,
      hasExamples: false,
      executionId: exampleExecution.id,
      createdAt: new Date(exampleExecution.createdAt),
      pending,
      pageCount: 1
    }),
  get: (_caller, executionId, include) =>
    executionId === exampleExecution.id
      ? Effect.succeed(
          include?.artifacts === true ? { ...exampleExecution, artifacts: {} } : exampleExecution
        )
      : missing,
  awaitEnd: () => Effect.succeed(exampleExecution),
  cancel: (_caller, executionId) =>
    executionId === "done"
      ? new NotCancellable({ message: "The execution has completed" })
      : Effect.succeed(exampleCancelled)
})

const handlers = Layer.mergeAll(FlowsHandlers.layer, RunsHandlers.layer).pipe(
  Layer.provide([
    flows,
    executions,
    Layer.mock(ExecutionList, {}),
    Layer.mock(ExecutionEvents, {}),
    Layer.mock(ApiKeys, {}),
    Layer.mock(Sessions, {}),
    Layer.mock(FlowDrafts, { allowed: false, forCaller: () => Effect.undefined }),
    Layer.mock(Replays, {}),
    Layer.mock(ExecutionCorrections, {})
  ]),
  Layer.provide(Layer.mock(FetchInput, { resolve: (body) => Effect.succeed(body) })),
  Layer.provideMerge(
    Layer.mergeAll(
      gate,
      adminGate,
      ContractLive.layer,
      ContractLive.layerDefects,
      StorageFailures.layer
    ).pipe(
      Layer.provideMerge(
        JsonBody.layer({
          perRun: 10_000,
          inFlight: 100_000,
          requests: 10,
          values: 1_000,
          variables: 10_000,
          keys: 1_000
        })
      )
    )
  ),
  Layer.provideMerge(withKey("a-key"))
)

const makeClient = HttpApiTest.groups(Api, ["flows", "runs"])

layer(Layer.mergeAll(handlers, HttpServer.layerServices))("the handlers", (it) => {
  it.effect("list flows with the page that was used", () =>
    Effect.gen(function* () {
      const client = yield* makeClient
      const first = yield* client.flows.list({ query: {} })
      assert.deepStrictEqual(first, { flows: [exampleFlowItem], total: 50, limit: 50, offset: 0 })
      const second = yield* client.flows.list({ query: { limit: 500, offset: 3 } })
      assert.deepStrictEqual(second, { flows: [], total: 100, limit: 100, offset: 3 })
    })
  )

  it.effect("read a flow, or say which of flow and version is missing", () =>
    Effect.gen(function* () {
      const client = yield* makeClient
      const get = (flowId: string, version?: string) =>
        client.flows.get({ params: { flowId }, query: defined({ version }) })
      assert.deepStrictEqual(yield* get("invoice"), exampleFlow)
      assert.strictEqual((yield* Effect.flip(get("nothing")))._tag, "FLOW_NOT_FOUND")
      assert.strictEqual((yield* Effect.flip(get("invoice", "9.9.9")))._tag, "VERSION_NOT_FOUND")
    })
  )

  it.effect("run a flow, with and without waiting", () =>
    Effect.gen(function* () {
      const client = yield* makeClient
      const run = (wait: boolean) =>
        client.flows.run({
          params: { flowId: "invoice" },
          query: {},
          payload: { wait, input: { document: { base64: "JVBERi0=" } } }
        })
      assert.deepStrictEqual(yield* run(true), exampleExecution)
      assert.strictEqual((yield* run(false)).id, exampleExecution.id)
    })
  )

  it.effect("read an execution, with what is included", () =>
    Effect.gen(function* () {
      const client = yield* makeClient
      const get = (executionId: string, include?: string) =>
        client.runs.get({ params: { executionId }, query: defined({ include }) })
      assert.deepStrictEqual(yield* get(exampleExecution.id), exampleExecution)
      assert.deepStrictEqual((yield* get(exampleExecution.id, "artifacts")).artifacts, {})
      assert.strictEqual((yield* Effect.flip(get("nothing")))._tag, "EXECUTION_NOT_FOUND")
      assert.strictEqual((yield* Effect.flip(get(exampleExecution.id, "all")))._tag, "INVALID_INPUT")
    })
  )

  it.effect("cancel an execution, or say why not", () =>
    Effect.gen(function* () {
      const client = yield* makeClient
      const cancel = (executionId: string) => client.runs.cancel({ params: { executionId } })
      assert.deepStrictEqual(yield* cancel(exampleExecution.id), exampleCancelled)
      assert.strictEqual((yield* Effect.flip(cancel("done")))._tag, "NOT_CANCELLABLE")
    })
  )

  it.effect("are not asked when the gate refuses", () =>
    Effect.gen(function* () {
      const client = yield* makeClient
      const error = yield* Effect.flip(client.flows.list({ query: {} }))
      assert.strictEqual(error._tag, "UNAUTHORIZED")
    }).pipe(Effect.provide(withKey("another-key")))
  )
})
