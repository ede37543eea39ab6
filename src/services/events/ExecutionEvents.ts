import { Context, Deferred, Effect, Layer, Option, Queue, Schedule, type Scope, Stream } from "effect"
import type { SqlError } from "effect/sql"
import type { Caller } from "../../domain/ApiKey.ts"
import { ConcurrentLimit, ExecutionNotFound } from "../../domain/Errors.ts"
import { type Execution, isFinished } from "../../domain/Execution.ts"
import { type ExecutionEvent, type LoggedEvent } from "../../domain/ExecutionEvent.ts"
import { EventLog, type LogView } from "../../engine/journal/EventLog.ts"
import { Signals } from "../../engine/signals/Signals.ts"
import { Executions } from "../executions/Executions.ts"
import type { BlobStoreFailure } from "../../providers/blobs/Blobs.ts"
import { limitsFor } from "../../domain/Organization.ts"

/** The source of a stream. */
interface Source<E> {
  readonly executionId: string
  readonly log: EventLog["Service"]
  /** Emits when the execution may have changed. */
  readonly changes: Queue.Dequeue<void>
  /** The execution as `GET /runs/{id}` returns it. */
  readonly execution: Effect.Effect<Execution, E>
}

/** The position of a stream: the last entry it sent, the highest percentage, and whether it has read once. */
interface Place {
  readonly seq: number
  readonly percentage: number
  readonly looked: boolean
}

/** Retries, so that a short outage of the database does not end a stream. */
const patience = Schedule.max([Schedule.exponential("200 millis"), Schedule.recurs(5)])

/**
 * The entries of an execution's log after `seq`, then new events, up to the end. A stream that can no longer read ends
 * without the event about the end, so that its client reconnects where it broke off.
 */
const follow = <E extends { readonly message: string }>(
  source: Source<E>,
  seq: number
): Stream.Stream<ExecutionEvent> => {
  const look = Effect.fnUntraced(function* (place: Place) {
    if (place.looked) yield* Queue.take(source.changes)
    const found = yield* source.log.after(source.executionId, place.seq)
    if (Option.isNone(found)) return [[], Option.none<Place>()] as const
    const view = found.value
    const events = view.events.map((event) => eventOf(source, event))
    if (isFinished(view.status)) {
      return [[...events, endOf(view, yield* source.execution)], Option.none<Place>()] as const
    }
    const percentage = Math.max(place.percentage, ...view.events.map(percentageOf))
    const passing = view.percentage > percentage ? [progressOf(source, view)] : []
    const next = {
      seq: Math.max(place.seq, view.seq),
      percentage: Math.max(percentage, view.percentage),
      looked: true
    }
    return [[...events, ...passing], Option.some<Place>(next)] as const
  })
  return Stream.paginate({ seq, percentage: 0, looked: false }, (place: Place) =>
    look(place).pipe(
      Effect.retry(patience),
      Effect.catch((error) =>
        Effect.as(Effect.logWarning("A stream of events broke off", error.message), [
          [],
          Option.none<Place>()
        ] as const)
      )
    )
  )
}

const eventOf = <E>({ executionId }: Source<E>, { at, data, kind, seq }: LoggedEvent): ExecutionEvent => ({
  id: String(seq),
  event: kind,
  data: { executionId, at, ...(data ?? { status: kind === "execution.pending" ? "pending" : "running" }) }
})

const endOf = (view: LogView, execution: Execution): ExecutionEvent => ({
  id: String(view.seq),
  event: `execution.${execution.status}`,
  data: execution
})

const progressOf = <E>({ executionId }: Source<E>, { percentage, step }: LogView): ExecutionEvent => ({
  event: "progress",
  data: { executionId, step: step ?? "", percentage }
})

const percentageOf = ({ data }: LoggedEvent): number => {
  const percentage = data?.["percentage"]
  return typeof percentage === "number" ? percentage : 0
}

/** The number of streams per concurrent execution of an organization: one for its program, one for a person. */
const streamsPerExecution = 2

/** Counts the streams that are open in this process, for each organization and environment. */
class OpenStreams {
  readonly #open = new Map<string, number>()

  /** The number of all open streams. */
  get size(): number {
    return [...this.#open.values()].reduce((sum, count) => sum + count, 0)
  }

  /** Counts a stream of the caller until the scope closes. */
  enter(caller: Caller): Effect.Effect<void, ConcurrentLimit, Scope.Scope> {
    const limits = limitsFor(caller.plan, caller.environment, caller.customLimits)
    const limit = limits.concurrentExecutions * streamsPerExecution
    const owner = `${caller.organizationId}:${caller.environment}`
    const enter = Effect.suspend(() => {
      const count = this.#open.get(owner) ?? 0
      if (count >= limit) return tooMany(limit)
      this.#open.set(owner, count + 1)
      return Effect.void
    })
    const leave = Effect.sync(() => {
      const count = (this.#open.get(owner) ?? 1) - 1
      if (count === 0) this.#open.delete(owner)
      else this.#open.set(owner, count)
    })
    return Effect.acquireRelease(enter, () => leave)
  }
}

const tooMany = (limit: number) =>
  new ConcurrentLimit({
    message: `Too many open event streams: at most ${limit} may be open at once`,
    details: { limit }
  })

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
      ConcurrentLimit | ExecutionNotFound | SqlError.SqlError | BlobStoreFailure,
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
        if (isFinished(view.value.status) && seq >= view.value.seq) return Option.none()
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
