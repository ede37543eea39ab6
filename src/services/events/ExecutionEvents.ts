import { Context, Deferred, Effect, Layer, Option, type Scope, Stream } from "effect"
import type { SqlError } from "effect/sql"
import type { Caller } from "../../domain/ApiKey.ts"
import { type ConcurrentLimit, ExecutionNotFound } from "../../domain/Errors.ts"
import { isFinished } from "../../domain/Execution.ts"
import type { ExecutionEvent } from "../../domain/ExecutionEvent.ts"
import { EventLog } from "../../engine/journal/EventLog.ts"
import { Signals } from "../../engine/signals/Signals.ts"
import { endingOf, follow } from "./EventFeed.ts"
import { OpenStreams } from "./OpenStreams.ts"
import { Executions } from "../executions/Executions.ts"
import type { BlobMissing, BlobStoreFailure } from "../../providers/blobs/Blobs.ts"

/** Live streams of executions. */
export class ExecutionEvents extends Context.Service<
  ExecutionEvents,
  {
    /**
     * Streams the events of an execution after the entry `seq` of its log, up to the end; none if the caller already
     * has the end. The scope is that of the stream.
     */
    follow(
      caller: Caller,
      executionId: string,
      seq: number
    ): Effect.Effect<
      Option.Option<Stream.Stream<ExecutionEvent>>,
      ConcurrentLimit | ExecutionNotFound | SqlError.SqlError | BlobStoreFailure | BlobMissing,
      Scope.Scope
    >
    /** The number of open streams in this process. */
    readonly open: Effect.Effect<number>
    /** Ends every stream, now and later, because the process is about to stop; clients reconnect to another one. */
    readonly drain: Effect.Effect<void>
  }
>()("docflow/ExecutionEvents") {
  static readonly layer = Layer.effect(
    ExecutionEvents,
    Effect.gen(function* () {
      const executions = yield* Executions
      const log = yield* EventLog
      const signals = yield* Signals
      const streams = new OpenStreams()
      const draining = yield* Deferred.make<void>()

      const followOne = Effect.fn("ExecutionEvents.follow")(function* (
        caller: Caller,
        executionId: string,
        seq: number
      ) {
        // Watch before the first read: an earlier change is seen in the read, and a later one wakes the watch.
        const changes = yield* signals.watchChanges(executionId)
        const execution = executions.get(caller, executionId)
        yield* execution
        const view = yield* log.after(executionId, seq)
        if (Option.isNone(view)) {
          return yield* new ExecutionNotFound({ message: `Execution not found: ${executionId}` })
        }
        if (isFinished(view.value.status) && seq >= endingOf(view.value)) return Option.none()
        yield* streams.enter(caller)
        const from = Math.min(seq, view.value.seq)
        return Option.some(
          follow({ executionId, log, changes, execution }, from).pipe(
            Stream.interruptWhen(Deferred.await(draining))
          )
        )
      })

      return ExecutionEvents.of({
        follow: followOne,
        open: Effect.sync(() => streams.size),
        drain: Effect.asVoid(Deferred.succeed(draining, undefined))
      })
    })
  )

  /**
   * Provide it above the HTTP server: when the process stops, streams end first, so that the server does not wait for
   * them.
   */
  static readonly layerDrain = Layer.effectDiscard(
    Effect.flatMap(ExecutionEvents, ({ drain }) => Effect.addFinalizer(() => drain))
  )
}
