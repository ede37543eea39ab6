import { PgClient } from "@effect/sql-pg"
import { Context, Deferred, Effect, Layer, Queue, Schedule, type Scope } from "effect"
import type { SqlClient } from "effect/sql"
import { json } from "../sql/Json.ts"
import type { CommittedEnd } from "./CommittedEnd.ts"
import { pollPeriodically } from "./signals/PollPeriodically.ts"
import { RecentIds } from "./signals/RecentIds.ts"
import { makeTeller, readPayload } from "./signals/Teller.ts"
import { RecentAcceptances } from "./RecentAcceptances.ts"
import { StepCache } from "./StepCache.ts"
import { Watchers } from "./signals/Watchers.ts"

const channel = "docflow_execution_ended"
/** Ends that are remembered: a caller may come to wait for one that it just made when that has ended already. */
const rememberedEnds = 10_000
interface Watching {
  readonly ended: (executionId: string, end?: CommittedEnd) => Effect.Effect<void>
  readonly changed: (executionId: string) => Effect.Effect<void>
  readonly erased: (executionId: string) => Effect.Effect<void>
  /** Forgets whatever may have ended or been erased while nobody listened. */
  readonly forgetAll: Effect.Effect<void>
  readonly watch: Pick<Signals["Service"], "watchEnd" | "watchChanges">
}

/** Who waits in this process and how they are woken, and what it keeps of executions until they end or are erased. */
const watching: Effect.Effect<Watching, never, RecentAcceptances | SqlClient.SqlClient | Scope.Scope> =
  Effect.gen(function* () {
    const acceptances = yield* RecentAcceptances
    const ends = new Watchers()
    const changes = new Watchers()
    const recent = new RecentIds(rememberedEnds)
    yield* pollPeriodically(ends, changes)
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
      forgetAll: Effect.andThen(
        Effect.sync(() => acceptances.clear()),
        clearCache
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

/** Erasures are rare: what a step cache holds of other executions is made again. */
const clearCache = Effect.map(StepCache, (cache) => cache.clear())

/** Says what happened to an execution, to whoever watches it in any process. A signal may be lost; a look-up makes up for it. */
export class Signals extends Context.Service<
  Signals,
  {
    /** Called once the end of the execution is committed. */
    announceEnd(executionId: string, end: CommittedEnd): Effect.Effect<void>
    /** Called once something else that a caller may see of the execution is committed. */
    announceChange(executionId: string): Effect.Effect<void>
    /** Called once an erasure is committed: every process forgets the execution, and what its step cache holds. */
    announceErased(executionId: string): Effect.Effect<void>
    /**
     * Completes when the execution ends after this call, with the end if this process made it. Whoever did not just create
     * the execution looks once itself, after this call.
     */
    watchEnd(
      executionId: string
    ): Effect.Effect<Deferred.Deferred<CommittedEnd | undefined>, never, Scope.Scope>
    /**
     * Gives something whenever the execution has changed or ended after this call; several changes may be one. The caller
     * looks once itself, after it.
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
      const { changed, ended, erased, forgetAll, watch } = yield* watching
      const teller = yield* makeTeller((payloads) =>
        Effect.ignore(
          client`select pg_notify(${channel}, payload) from json_array_elements_text(${json(client, payloads)}) as payload`
        )
      )
      const heard = (payload: string) =>
        readPayload(payload, { changed, ended: (executionId) => ended(executionId), erased })
      yield* Effect.scoped(
        Effect.gen(function* () {
          const notifications = yield* client.listen(channel)
          yield* forgetAll
          yield* Effect.forever(Effect.flatMap(Queue.take(notifications), ({ payload }) => heard(payload)))
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
