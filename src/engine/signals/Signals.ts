import { PgClient } from "@effect/sql-pg"
import { Cause, Context, Deferred, Effect, Layer, Queue, Schedule, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { json } from "../../sql/Json.ts"
import type { CommittedEnd } from "../journal/CommittedEnd.ts"
import { makeTeller, readPayload } from "./Teller.ts"
import { RecentAcceptances } from "../placement/RecentAcceptances.ts"
import { StepCache } from "../program/StepCache.ts"

/** How often each process notifies all of them, itself included. */
const heartbeat = "3 seconds"
/** A connection over which nothing arrives for so long is replaced. */
const silence = "10 seconds"

/** The callback of a watcher; `end` is the execution's end, if this process made it. */
type Wake = (end?: CommittedEnd) => Effect.Effect<unknown>

/** The watchers of executions in this process. */
class Watchers {
  readonly #byExecution = new Map<string, Set<Wake>>()

  /** The executions that somebody watches. */
  get watched(): ReadonlyArray<string> {
    return [...this.#byExecution.keys()]
  }

  /** Runs `wake` whenever the execution is announced, until the scope closes. */
  add(executionId: string, wake: Wake): Effect.Effect<void, never, Scope.Scope> {
    return Effect.acquireRelease(
      Effect.sync(() => {
        const all = this.#byExecution.get(executionId) ?? new Set()
        this.#byExecution.set(executionId, all.add(wake))
      }),
      () =>
        Effect.sync(() => {
          const all = this.#byExecution.get(executionId)
          all?.delete(wake)
          if (all?.size === 0) this.#byExecution.delete(executionId)
        })
    )
  }

  /** Wakes everybody who watches the execution. */
  wake(executionId: string, end?: CommittedEnd): Effect.Effect<void> {
    const all = this.#byExecution.get(executionId)
    return all === undefined ? Effect.void : Effect.forEach([...all], (wake) => wake(end), { discard: true })
  }
}

interface Seen {
  readonly id: string
  readonly ended: boolean
  readonly version: string
}

/** Looks all watched executions up together, and wakes the watchers of those that have ended or changed. */
const makeLookUp = (ends: Watchers, changes: Watchers) =>
  Effect.map(SqlClient.SqlClient, (sql) => {
    let known: ReadonlyMap<string, string> = new Map()
    return Effect.gen(function* () {
      const watched = [...new Set([...ends.watched, ...changes.watched])]
      if (watched.length === 0) return
      const rows = yield* sql<Seen>`
        select id, status not in ('pending', 'running') as ended, event_seq || ' ' || progress_percentage as version
        from executions where ${sql.in("id", watched)}`
      const before = known
      known = new Map(rows.map(({ id, version }) => [id, version]))
      for (const { ended, id, version } of rows) {
        if (ended) yield* ends.wake(id)
        if (before.get(id) !== version) yield* changes.wake(id)
      }
    }).pipe(Effect.ignore)
  })

/** Remembers the most recent ids. */
class RecentIds {
  readonly #limit: number
  readonly #ids = new Set<string>()

  constructor(limit: number) {
    this.#limit = limit
  }

  add(id: string): void {
    this.#ids.add(id)
    const [oldest] = this.#ids
    if (this.#ids.size > this.#limit && oldest !== undefined) this.#ids.delete(oldest)
  }

  has(id: string): boolean {
    return this.#ids.has(id)
  }
}

const channel = "docflow_execution_ended"
/** The number of ends that are remembered: an execution may end before its creator starts to wait for it. */
const rememberedEnds = 10_000
interface Watching {
  readonly ended: (executionId: string, end?: CommittedEnd) => Effect.Effect<void>
  readonly changed: (executionId: string) => Effect.Effect<void>
  readonly erased: (executionId: string) => Effect.Effect<void>
  /** Forgets executions that may have ended or been erased while the connection was down, then looks up the watched ones. */
  readonly catchUp: Effect.Effect<void>
  readonly watch: Pick<Signals["Service"], "watchEnd" | "watchChanges">
}

/** The watchers of this process, and the caches that it keeps of executions until they end or are erased. */
const watching: Effect.Effect<Watching, never, RecentAcceptances | SqlClient.SqlClient | Scope.Scope> =
  Effect.gen(function* () {
    const acceptances = yield* RecentAcceptances
    const ends = new Watchers()
    const changes = new Watchers()
    const recent = new RecentIds(rememberedEnds)
    const lookUp = yield* makeLookUp(ends, changes)
    // A signal can be lost with a connection.
    yield* lookUp.pipe(Effect.repeat(Schedule.spaced("2 seconds")), Effect.forkScoped)
    return {
      ended: (executionId, end) =>
        Effect.suspend(() => {
          recent.add(executionId)
          acceptances.forget(executionId)
          return Effect.andThen(ends.wake(executionId, end), changes.wake(executionId))
        }),
      changed: (executionId) => changes.wake(executionId),
      erased: (executionId) =>
        Effect.andThen(
          Effect.sync(() => acceptances.forget(executionId)),
          clearCache
        ),
      catchUp: Effect.sync(() => acceptances.clear()).pipe(
        Effect.andThen(clearCache),
        Effect.andThen(lookUp)
      ),
      watch: {
        watchEnd: Effect.fnUntraced(function* (executionId: string) {
          const ended = yield* Deferred.make<CommittedEnd | undefined>()
          yield* ends.add(executionId, (end) => Deferred.succeed(ended, end))
          if (recent.has(executionId)) yield* Deferred.succeed(ended, undefined)
          return ended
        }),
        watchChanges: Effect.fnUntraced(function* (executionId: string) {
          const changed = yield* Queue.sliding<void>(1)
          yield* changes.add(executionId, () => Queue.offer(changed, undefined))
          return changed
        })
      }
    }
  })

/** Clears the whole step cache, because erasures are rare. */
const clearCache = Effect.map(StepCache, (cache) => cache.clear())

/** Notifies the watchers of an execution, in any process. A signal may be lost; periodic polling compensates. */
export class Signals extends Context.Service<
  Signals,
  {
    /** Called once the end of the execution is committed. */
    announceEnd(executionId: string, end: CommittedEnd): Effect.Effect<void>
    /** Called once any other visible change of the execution is committed. */
    announceChange(executionId: string): Effect.Effect<void>
    /** Called once an erasure is committed: every process forgets the execution and clears its step cache. */
    announceErased(executionId: string): Effect.Effect<void>
    /**
     * Completes when the execution ends after this call, with the end if this process made it. Callers that did not
     * just create the execution must read it once after this call.
     */
    watchEnd(
      executionId: string
    ): Effect.Effect<Deferred.Deferred<CommittedEnd | undefined>, never, Scope.Scope>
    /**
     * Emits whenever the execution changes or ends after this call; several changes may be merged. Callers must read
     * the execution once after this call.
     */
    watchChanges(executionId: string): Effect.Effect<Queue.Dequeue<void>, never, Scope.Scope>
  }
>()("docflow/engine/Signals") {
  /** For one process. */
  static readonly layerLocal = Layer.effect(
    Signals,
    Effect.map(watching, ({ changed, ended, erased, watch }) =>
      Signals.of({ announceEnd: ended, announceChange: changed, announceErased: erased, ...watch })
    )
  )

  /** For several processes over one PostgreSQL: by LISTEN and NOTIFY. */
  static readonly layerShared = Layer.effect(
    Signals,
    Effect.gen(function* () {
      const client = yield* PgClient.PgClient
      const { catchUp, changed, ended, erased, watch } = yield* watching
      const teller = yield* makeTeller((payloads) =>
        Effect.ignore(
          client`select pg_notify(${channel}, payload) from json_array_elements_text(${json(client, payloads)}) as payload`
        )
      )
      const heard = (payload: string) =>
        readPayload(payload, { changed, ended: (executionId) => ended(executionId), erased })
      // Each process tells all of them that it is there: who hears nothing has lost its connection.
      yield* Effect.forkScoped(
        Effect.repeat(Effect.ignore(client.notify(channel, "")), Schedule.spaced(heartbeat))
      )
      yield* Effect.scoped(
        Effect.gen(function* () {
          const notifications = yield* client.listen(channel)
          yield* catchUp
          const next = Effect.timeoutOrElse(Queue.take(notifications), {
            duration: silence,
            orElse: () => Effect.fail(new Cause.TimeoutError("The connection fell silent"))
          })
          yield* Effect.forever(Effect.flatMap(next, ({ payload }) => heard(payload)))
        })
      ).pipe(
        Effect.tapError((error) =>
          Effect.logWarning("Listening for ended executions broke off", error.message)
        ),
        Effect.retry(Schedule.spaced("1 second")),
        Effect.forkScoped
      )

      return Signals.of({
        announceEnd: (executionId, end) => Effect.andThen(ended(executionId, end), teller.end(executionId)),
        announceErased: (executionId) => Effect.andThen(erased(executionId), teller.erased(executionId)),
        announceChange: (executionId) => Effect.andThen(changed(executionId), teller.change(executionId)),
        ...watch
      })
    })
  )
}
