import { Context, Effect, Layer, Option, Predicate } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { hash } from "node:crypto"
import { canonicalJson } from "../../support/CanonicalJson.ts"
import type { Caller } from "../../domain/ApiKey.ts"
import { creditPagesOf } from "../../domain/Document.ts"
import { type ExecutionNotFound, VersionNotFound } from "../../domain/Errors.ts"
import type { Execution } from "../../domain/Execution.ts"
import type { Difference, OutputDiff, ReplayRequest } from "../../domain/Replay.ts"
import { BlobUses } from "../../engine/journal/BlobUses.ts"
import { Dispatcher } from "../../engine/placement/Dispatcher.ts"
import { makeExecutionIds } from "../../engine/placement/ExecutionIds.ts"
import { FlowCatalog, type RunnableFlow } from "../../engine/program/FlowCatalog.ts"
import { Executions, type Refusal } from "../executions/Executions.ts"
import type { Accepted } from "../admission/Acceptance.ts"
import * as Idempotency from "../admission/Idempotency.ts"
import { Flows } from "../flows/Flows.ts"
import type { BlobStoreFailure } from "../../providers/blobs/Blobs.ts"
import { acceptReplay, type CheckedReplay } from "./AcceptReplay.ts"
import { checkEnded, checkReplay } from "./CheckReplay.ts"
import { findOriginal, type Original } from "./Original.ts"
import { reusableSteps } from "./Reusable.ts"
import { pointerTo } from "../../support/JsonPointer.ts"
import { defined } from "../../support/Defined.ts"

/** The number of values that are compared before other work gets its turn. */
const atOnce = 5000

/**
 * Where two JSON values differ, in the order of the first. A side without a value is omitted; members of objects are
 * compared in any order, elements of arrays by index.
 */
export const diffOutputs = Effect.fnUntraced(function* (before: unknown, after: unknown) {
  const differences: Array<Difference> = []
  let compared = 0
  for (const found of differencesAt("", before, after)) {
    if (found !== undefined) differences.push(found)
    if (++compared % atOnce === 0) yield* Effect.yieldNow
  }
  return { same: differences.length === 0, differences } satisfies OutputDiff
})

/** Every value that is compared: undefined, or the difference there. */
function* differencesAt(path: string, before: unknown, after: unknown): Generator<Difference | undefined> {
  if (Object.is(before, after)) return yield undefined
  const left = membersOf(before)
  const right = membersOf(after)
  if (left === undefined || right === undefined || Array.isArray(before) !== Array.isArray(after)) {
    yield { path, ...defined({ before, after }) }
    return
  }
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    yield* differencesAt(pointerTo(path, name), left.get(name), right.get(name))
  }
}

const membersOf = (value: unknown): ReadonlyMap<string, unknown> | undefined =>
  Predicate.isObjectOrArray(value) ? new Map(Object.entries(value)) : undefined

/** Replays of executions, and the differences between outputs. */
export class Replays extends Context.Service<
  Replays,
  {
    /**
     * Accepts a new execution with the input of an earlier one, whose finished steps it reuses. A `draft` is run
     * instead of a version, and sends no webhook, because receivers expect results of published flows.
     */
    replay(
      caller: Caller,
      executionId: string,
      request: ReplayRequest,
      requestId?: string,
      draft?: RunnableFlow
    ): Effect.Effect<Accepted, Refusal | ExecutionNotFound | SqlError.SqlError>
    /** The differences between the outputs of two executions. If one has no output, there are none, and `message` says so. */
    diff(
      caller: Caller,
      executionId: string,
      otherId: string
    ): Effect.Effect<OutputDiff, ExecutionNotFound | SqlError.SqlError | BlobStoreFailure>
  }
>()("docflow/Replays") {
  static readonly layer = Layer.effect(
    Replays,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { newId } = yield* makeExecutionIds
      const flows = yield* Flows
      const catalog = yield* FlowCatalog
      const executions = yield* Executions
      const dispatcher = yield* Dispatcher
      const services = Context.make(SqlClient.SqlClient, sql).pipe(Context.add(BlobUses, yield* BlobUses))

      /** The version that ran, and the one to run. */
      const versions = Effect.fnUntraced(function* (
        { flow_id, version }: Original,
        wanted: string | undefined,
        draft: RunnableFlow | undefined
      ) {
        const before = Option.getOrUndefined(yield* catalog.find(flow_id, version))
        if (draft !== undefined) return { before, flow: draft }
        if (wanted !== undefined && wanted !== version) {
          return { before, flow: yield* flows.resolve(flow_id, wanted) }
        }
        if (before !== undefined) return { before, flow: before }
        return yield* new VersionNotFound({ message: `Version not found: ${flow_id} ${version}` })
      })

      const check = Effect.fnUntraced(function* (
        caller: Caller,
        executionId: string,
        request: ReplayRequest,
        draft: RunnableFlow | undefined
      ) {
        const original = yield* findOriginal(caller, executionId)
        const { fromStep, version } = request
        const fingerprint = hash("sha256", canonicalJson({ replayOf: executionId, fromStep, version }))
        const earlier = yield* Idempotency.find(caller, request, fingerprint)
        if (earlier !== undefined) return earlier
        yield* checkEnded(original)
        const { before, flow } = yield* versions(original, version, draft)
        const { document, sameVariables, variables } = yield* checkReplay(original, flow, request, caller)
        const { credits } = flow.definition
        const checked: CheckedReplay = {
          executionId: yield* newId(),
          originalId: executionId,
          caller,
          request,
          fingerprint,
          flow,
          flowId: original.flow_id,
          version: flow.definition.version,
          stepCount: flow.steps.length,
          reusable: reusableSteps({ before, flow, fromStep, sameVariables }),
          document,
          variables,
          fullCost:
            caller.environment === "test" ? 0 : credits.base + credits.perPage * creditPagesOf(document),
          metadata: original.metadata ?? undefined,
          webhookUrl: draft === undefined ? (original.webhook_url ?? undefined) : undefined,
          webhookSecret: original.webhook_secret ?? undefined,
          webhookEvents: original.webhook_events ?? undefined,
          requestId: undefined
        }
        return checked
      })

      const replay = Effect.fn("Replays.replay")(function* (
        caller: Caller,
        executionId: string,
        request: ReplayRequest,
        requestId?: string,
        draft?: RunnableFlow
      ) {
        const checked = yield* Effect.provideContext(check(caller, executionId, request, draft), services)
        if (typeof checked === "string") {
          return { _tag: "Replayed", executionId: checked } satisfies Accepted
        }
        // If the caller disconnects, the execution must still be dispatched.
        return yield* Effect.uninterruptible(
          Effect.gen(function* () {
            const accepted = yield* Effect.provideContext(acceptReplay({ ...checked, requestId }), services)
            if (accepted._tag === "New")
              yield* dispatcher.dispatch(accepted.executionId, {
                organizationId: caller.organizationId,
                waited: false
              })
            return accepted
          })
        )
      })

      const diff = Effect.fn("Replays.diff")(function* (
        caller: Caller,
        executionId: string,
        otherId: string
      ) {
        const before = yield* executions.get(caller, executionId)
        const after = yield* executions.get(caller, otherId)
        const without = [before, after].filter(({ output }) => output === undefined)
        if (without.length === 0) return yield* diffOutputs(before.output, after.output)
        return { same: without.length === 2, differences: [], message: nothingToCompare(without) }
      })

      return Replays.of({ replay, diff })
    })
  )
}

const nothingToCompare = (without: ReadonlyArray<Execution>): string => {
  const why = without.map(({ id, status }) =>
    status === "completed"
      ? `the output of ${id} is no longer stored`
      : `${id} has no output: it is ${status}`
  )
  return `There is nothing to compare, because ${why.join(", and ")}`
}
