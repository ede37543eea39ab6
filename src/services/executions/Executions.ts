import { Context, Deferred, Duration, Effect, Layer, Option } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { Acceptances, type Accepted } from "../admission/Acceptance.ts"
import { Audit } from "../storage/Audit.ts"
import type { Caller } from "../../domain/ApiKey.ts"
import type { ReaderUnavailable } from "../../domain/Document.ts"
import {
  AlreadyCancelled,
  type ConcurrentLimit,
  type ExecutionNotFound,
  ExecutionTimeout,
  type FlowNotFound,
  type InsufficientCredits,
  type InvalidDocument,
  type MissingRequiredField,
  NotCancellable,
  type SubscriptionRequired,
  type ValidationFailed,
  type VersionNotFound
} from "../../domain/Errors.ts"
import { type Execution, isFinished, type ListedExecution } from "../../domain/Execution.ts"
import type { Environment } from "../../domain/Organization.ts"
import type { ReceivedRun } from "../../domain/RunRequest.ts"
import { BlobUses } from "../../engine/journal/BlobUses.ts"
import { Dispatcher } from "../../engine/placement/Dispatcher.ts"
import { Outcome } from "../../engine/journal/Outcome.ts"
import { RecentAcceptances } from "../../engine/placement/RecentAcceptances.ts"
import { Signals } from "../../engine/signals/Signals.ts"
import type { ExecutionFilter } from "./ExecutionFilter.ts"
import { endedExecution } from "../../engine/journal/ExecutionRow.ts"
import type { RunnableFlow } from "../../engine/program/FlowCatalog.ts"
import { executionNotFound, type Include, makeExecutionReads } from "./ReadExecutions.ts"
import { type CheckedRun, makeRunChecks } from "./RunChecks.ts"
import type { BlobStoreFailure } from "../../providers/blobs/Blobs.ts"
import { inSpan } from "../../support/InSpan.ts"
import { defined } from "../../support/Defined.ts"
import { forgetSteps } from "../../engine/journal/ForgetSteps.ts"

/**
 * Removes everything that an execution received and produced, and records that, in one transaction. Bytes are removed
 * first: an execution that still names them is erased again, while bytes without an execution would be lost track of.
 */
const forgetExecution = Effect.fn("Executions.forget")(function* (
  executionId: string,
  organizationId: string
) {
  const sql = yield* SqlClient.SqlClient
  const uses = yield* BlobUses
  const audit = yield* Audit
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* uses.release([executionId], ["document", "result"])
      yield* sql`
        update executions set document = null, metadata = null, variables = '{}', error = null, webhook_url = null,
          webhook_secret = null, erased_at = now()
        where id = ${executionId}`
      // A request with its key makes a new execution.
      yield* sql`delete from idempotency_keys where execution_id = ${executionId}`
      yield* sql`delete from examples where execution_id = ${executionId}`
      yield* sql`delete from corrections where execution_id = ${executionId}`
      yield* forgetSteps(sql, [executionId])
      yield* audit.record({ action: "execution.erased", subject: executionId, organizationId })
    })
  )
})

/** An accepted run. A new one is returned as it was created, `pending`, however soon it starts. */
type AcceptedRun = Extract<Accepted, { readonly _tag: "Replayed" }> | NewRun

/** A new execution, with the number of its document's pages. */
type NewRun = Extract<Accepted, { readonly _tag: "New" }> & {
  readonly pending: Execution
  readonly pageCount: number
}

/** A new execution, as it was created. */
const pendingExecution = (run: CheckedRun, createdAt: Date): Execution => ({
  id: run.executionId,
  flowId: run.flowId,
  version: run.version,
  status: "pending",
  createdAt: createdAt.toISOString(),
  ...defined({ metadata: run.metadata })
})

type StorageFailure = SqlError.SqlError | BlobStoreFailure

/** The errors that refuse a run. */
export type Refusal =
  | ConcurrentLimit
  | FlowNotFound
  | InsufficientCredits
  | InvalidDocument
  | MissingRequiredField
  | SubscriptionRequired
  | ValidationFailed
  | VersionNotFound

/** Executions: accepted, read, waited for, cancelled, erased. */
export class Executions extends Context.Service<
  Executions,
  {
    /** Accepts a run, or finds the execution that the same request made before. A `draft` is run instead of a version. */
    accept(
      caller: Caller,
      flowId: string,
      request: ReceivedRun,
      requestId?: string,
      draft?: RunnableFlow
    ): Effect.Effect<AcceptedRun, Refusal | StorageFailure | ReaderUnavailable>
    get(
      caller: Caller,
      executionId: string,
      include?: Include
    ): Effect.Effect<Execution, ExecutionNotFound | StorageFailure>
    /**
     * Waits for the end; the execution continues if the timeout comes first. An execution that was just accepted is not
     * looked up first, nor read if it ends in this process.
     */
    awaitEnd(
      caller: Caller,
      executionId: string,
      timeout: Duration.Duration,
      accepted?: AcceptedRun
    ): Effect.Effect<Execution, ExecutionNotFound | ExecutionTimeout | StorageFailure>
    cancel(
      caller: Caller,
      executionId: string
    ): Effect.Effect<Execution, AlreadyCancelled | ExecutionNotFound | NotCancellable | StorageFailure>
    /** The executions of an organization, newest first. */
    list(
      organizationId: string,
      filter: ExecutionFilter,
      include?: { readonly output?: boolean }
    ): Effect.Effect<
      { readonly executions: ReadonlyArray<ListedExecution>; readonly total: number },
      SqlError.SqlError
    >
    /** The organization and environment of an execution; undefined if it does not exist. */
    ownerOf(
      executionId: string
    ): Effect.Effect<
      { readonly organizationId: string; readonly environment: Environment } | undefined,
      SqlError.SqlError
    >
    /** Removes an execution's document, output and artifacts; one that has not ended is cancelled first. */
    erase(executionId: string): Effect.Effect<void, ExecutionNotFound | StorageFailure>
  }
>()("docflow/Executions") {
  static readonly layer = Layer.effect(
    Executions,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const outcome = yield* Outcome
      const signals = yield* Signals
      const dispatcher = yield* Dispatcher
      const recent = yield* RecentAcceptances
      const { get, list } = yield* makeExecutionReads
      const check = yield* makeRunChecks
      const audit = yield* Audit
      const acceptances = yield* Acceptances
      const services = Context.make(SqlClient.SqlClient, sql).pipe(
        Context.add(Audit, audit),
        Context.add(BlobUses, yield* BlobUses)
      )

      const accept = Effect.fnUntraced(function* (
        caller: Caller,
        flowId: string,
        request: ReceivedRun,
        requestId?: string,
        draft?: RunnableFlow
      ) {
        const checked = yield* check(caller, flowId, request, draft)
        if (typeof checked === "string") {
          return { _tag: "Replayed", executionId: checked } satisfies AcceptedRun
        }
        // If the caller disconnects, the execution must still be dispatched.
        return yield* Effect.uninterruptible(
          Effect.gen(function* () {
            const accepted = yield* acceptances.accept({ ...checked, requestId }, checked.bytes)
            if (accepted._tag === "Replayed") return accepted
            const { executionId } = accepted
            if (dispatcher.isOurs(executionId)) {
              recent.keep(executionId, {
                blob: checked.document.blob,
                bytes: checked.bytes,
                hasExamples: accepted.hasExamples
              })
            }
            yield* dispatcher.dispatch(executionId, {
              organizationId: caller.organizationId,
              waited: request.wait === true
            })
            const pending = pendingExecution(checked, accepted.createdAt)
            return { ...accepted, pending, pageCount: checked.document.pageCount }
          })
        )
      }, inSpan("Executions.accept"))

      const awaitEnd = Effect.fnUntraced(
        function* (caller: Caller, executionId: string, timeout: Duration.Duration, accepted?: AcceptedRun) {
          const ended = yield* signals.watchEnd(executionId)
          const made = accepted?._tag === "New" ? accepted : undefined
          const now = made === undefined ? yield* get(caller, executionId) : undefined
          if (now !== undefined && isFinished(now.status)) return now
          const inTime = yield* Effect.timeoutOption(Deferred.await(ended), timeout)
          if (Option.isSome(inTime)) {
            return made === undefined || inTime.value === undefined
              ? yield* get(caller, executionId)
              : yield* endedExecution(made.pending, made.pageCount, inTime.value)
          }
          return yield* new ExecutionTimeout({
            message: `The execution did not end within ${Duration.toMillis(timeout)} ms; it continues`,
            details: { executionId }
          })
        },
        (effect) => Effect.scoped(effect),
        inSpan("Executions.awaitEnd")
      )

      const cancel = Effect.fn("Executions.cancel")(function* (caller: Caller, executionId: string) {
        yield* get(caller, executionId)
        const won = yield* outcome.end(executionId, { status: "cancelled" })
        if (won) {
          const { organizationId } = caller
          yield* audit.record({ action: "execution.cancelled", subject: executionId, organizationId })
        }
        const execution = yield* get(caller, executionId)
        if (won) return execution
        const message = `The execution has ${execution.status === "cancelled" ? "already been cancelled" : execution.status}`
        return yield* execution.status === "cancelled"
          ? new AlreadyCancelled({ message })
          : new NotCancellable({ message })
      }, Effect.uninterruptible)

      const ownerOf = Effect.fnUntraced(function* (executionId: string) {
        // PostgreSQL cannot compare such an id.
        if (executionId.includes("\u0000")) return undefined
        const [row] = yield* sql<{ organization_id: string; environment: Environment }>`
          select organization_id, environment from executions where id = ${executionId}`
        return row === undefined
          ? undefined
          : { organizationId: row.organization_id, environment: row.environment }
      })

      const erase = Effect.fn("Executions.erase")(function* (executionId: string) {
        const owner = yield* ownerOf(executionId)
        if (owner === undefined) return yield* executionNotFound(executionId)
        yield* outcome.end(executionId, { status: "cancelled" })
        yield* Effect.provideContext(forgetExecution(executionId, owner.organizationId), services)
        yield* signals.announceErased(executionId)
      }, Effect.uninterruptible)

      return Executions.of({ accept, get, awaitEnd, cancel, list, ownerOf, erase })
    })
  )
}
