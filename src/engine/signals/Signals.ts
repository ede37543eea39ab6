import { PgClient } from "@effect/sql-pg"
import { Context, Deferred, Effect, Layer, Queue, Schedule, type Scope } from "effect"
import type { SqlClient } from "effect/sql"
import { json } from "../../sql/Json.ts"
import type { CommittedEnd } from "../journal/CommittedEnd.ts"
import { pollPeriodically } from "./PollPeriodically.ts"
import { RecentIds } from "./RecentIds.ts"
import { KnownAllowances } from "../placement/KnownAllowances.ts"
import { Occupancy } from "../placement/Occupancy.ts"
import { makeTeller, readPayload } from "./Teller.ts"
import { RecentAcceptances } from "../placement/RecentAcceptances.ts"
import { StepCache } from "../program/StepCache.ts"
import { Watchers } from "./Watchers.ts"

const channel = "docflow_execution_ended"
/** The number of ends that are remembered: an execution may end before its creator starts to wait for it. */
const rememberedEnds = 10_000
interface Watching {
  readonly ended: (executionId: string, end?: CommittedEnd) => Effect.Effect<void>
  readonly changed: (executionId: string) => Effect.Effect<void>
  readonly erased: (executionId: string) => Effect.Effect<void>
  /** Forgets executions that may have ended or been erased while nobody listened. */
  readonly forgetAll: Effect.Effect<void>
  readonly watch: Pick<Signals["Service"], "watchEnd" | "watchChanges">
}

/** The watchers of this process, and the caches that it keeps of executions until they end or are erased. */
const watching: Effect.Effect<
  Watching,
  never,
  KnownAllowances | Occupancy | RecentAcceptances | SqlClient.SqlClient | Scope.Scope
> = Effect.gen(function* () {
  const acceptances = yield* RecentAcceptances
  const allowances = yield* KnownAllowances
  const occupancy = yield* Occupancy
  const ends = new Watchers()
  const changes = new Watchers()
  const recent = new RecentIds(rememberedEnds)
  yield* pollPeriodically(ends, changes)
  return {
    ended: (executionId, end) =>
      Effect.suspend(() => {
        if (!recent.has(executionId)) {
          const start = acceptances.findStart(executionId)
          occupancy.ended(start && { organizationId: start.organization_id, environment: start.environment })
        }
        recent.add(executionId)
        allowances.ended(executionId)
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
      Effect.sync(() => {
        acceptances.clear()
        allowances.clear()
        occupancy.clear()
      }),
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
