import { PgClient } from "@effect/sql-pg"
import { Context, Deferred, Effect, Layer, Queue, Schedule, type Scope } from "effect"
import { SqlClient } from "effect/sql"

const channel = "docflow_execution_ended"

/**
 * Says that an execution has ended, to whoever waits for it in any process. A signal can be lost with a connection, so the
 * executions that are waited for are also looked up together once in a while.
 */
export class Signals extends Context.Service<
  Signals,
  {
    /** Called once the end of the execution is committed. */
    announceEnd(executionId: string): Effect.Effect<void>
    /** Completes when the execution has ended after this call; the caller looks once itself, after it. */
    watchEnd(executionId: string): Effect.Effect<Deferred.Deferred<void>, never, Scope.Scope>
  }
>()("docflow/engine/Signals") {
  /** For one process. */
  static readonly layerLocal = Layer.effect(
    Signals,
    Effect.gen(function* () {
      const watchers = new Watchers()
      yield* lookUpNowAndThen(watchers)
      return Signals.of({
        announceEnd: (executionId) => watchers.wake(executionId),
        watchEnd: (executionId) => watchers.watch(executionId)
      })
    })
  )

  /** For several processes over one PostgreSQL: by LISTEN and NOTIFY. */
  static readonly layerShared = Layer.effect(
    Signals,
    Effect.gen(function* () {
      const client = yield* PgClient.PgClient
      const watchers = new Watchers()
      yield* lookUpNowAndThen(watchers)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const notifications = yield* client.listen(channel)
          yield* Effect.forever(
            Effect.flatMap(Queue.take(notifications), ({ payload }) => watchers.wake(payload))
          )
        })
      ).pipe(
        Effect.tapError((error) =>
          Effect.logWarning("Listening for ended executions broke off", error.message)
        ),
        Effect.retry(Schedule.spaced("1 second")),
        Effect.forkScoped
      )
      return Signals.of({
        announceEnd: (executionId) =>
          Effect.andThen(watchers.wake(executionId), Effect.ignore(client.notify(channel, executionId))),
        watchEnd: (executionId) => watchers.watch(executionId)
      })
    })
  )
}

class Watchers {
  readonly #byExecution = new Map<string, Set<Deferred.Deferred<void>>>()

  get watched(): ReadonlyArray<string> {
    return [...this.#byExecution.keys()]
  }

  watch(executionId: string): Effect.Effect<Deferred.Deferred<void>, never, Scope.Scope> {
    return Effect.acquireRelease(
      Effect.map(Deferred.make<void>(), (ended) => {
        const others = this.#byExecution.get(executionId) ?? new Set()
        this.#byExecution.set(executionId, others.add(ended))
        return ended
      }),
      (ended) =>
        Effect.sync(() => {
          const others = this.#byExecution.get(executionId)
          others?.delete(ended)
          if (others?.size === 0) this.#byExecution.delete(executionId)
        })
    )
  }

  wake(executionId: string): Effect.Effect<void> {
    return Effect.forEach(
      this.#byExecution.get(executionId) ?? [],
      (ended) => Deferred.succeed(ended, undefined),
      { discard: true }
    )
  }
}

const lookUpNowAndThen = (watchers: Watchers) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const lookUp = Effect.gen(function* () {
      const { watched } = watchers
      if (watched.length === 0) return
      const ended = yield* sql<{ id: string }>`
        select id from executions where ${sql.in("id", watched)} and status not in ('pending', 'running')`
      yield* Effect.forEach(ended, ({ id }) => watchers.wake(id), { discard: true })
    })
    yield* Effect.ignore(lookUp).pipe(Effect.repeat(Schedule.spaced("2 seconds")), Effect.forkScoped)
  })
