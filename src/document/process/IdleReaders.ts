import { Clock, Effect, Exit, Schedule, Scope } from "effect"
import type { ReaderProcess } from "./ReaderProcess.ts"

/** Idle times after which a child closes its document, and after which it exits, in milliseconds. */
const closeLimit = 10_000
const idleLimit = 10 * 60_000

interface Idle {
  readonly reader: ReaderProcess
  readonly scope: Scope.Closeable
  readonly since: number
}

/** The children that read documents: started if none is idle, kept running, ended after a long idle time. */
export interface IdleReaders {
  /**
   * Runs a job on a child that is alive, if possible one that `fits`, otherwise the one that has been idle longest. The
   * job has the child exclusively; a dead child is not used again.
   */
  readonly use: <A, E>(
    fits: (reader: ReaderProcess) => boolean,
    job: (reader: ReaderProcess) => Effect.Effect<A, E>
  ) => Effect.Effect<A, E>
}

/**
 * Makes a pool of children; `start` starts one, and `close` closes its document. The caller limits how many are used at
 * once.
 */
export const makeIdleReaders = (
  start: Effect.Effect<ReaderProcess, never, Scope.Scope>,
  close: (reader: ReaderProcess) => void
): Effect.Effect<IdleReaders, never, Scope.Scope> =>
  Effect.gen(function* () {
    const all = yield* Effect.scope
    let idle: ReadonlyArray<Idle> = []

    const end = ({ scope }: Pick<Idle, "scope">) => Scope.close(scope, Exit.void)

    /** Takes the best idle child out of the list. */
    const take = (fits: (reader: ReaderProcess) => boolean): Idle | undefined => {
      const best = idle.find(({ reader }) => fits(reader)) ?? idle[0]
      idle = idle.filter((other) => other !== best)
      return best
    }

    const startOne = Effect.gen(function* () {
      const scope = yield* Scope.fork(all)
      return { reader: yield* Scope.provide(start, scope), scope }
    })

    const acquire = (
      fits: (reader: ReaderProcess) => boolean
    ): Effect.Effect<Pick<Idle, "reader" | "scope">> =>
      Effect.suspend(() => {
        const taken = take(fits)
        if (taken === undefined) return startOne
        // It may have died while idle, which is no document's fault.
        return taken.reader.isAlive() ? Effect.succeed(taken) : Effect.andThen(end(taken), acquire(fits))
      })

    const release = ({ reader, scope }: Pick<Idle, "reader" | "scope">) =>
      Effect.flatMap(Clock.currentTimeMillis, (since) => {
        if (!reader.isAlive()) return end({ scope })
        idle = [...idle, { reader, scope, since }]
        return Effect.void
      })

    const endIdle = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      for (const { reader, since } of idle) if (since < now - closeLimit) close(reader)
      const over = idle.filter(({ since }) => since < now - idleLimit)
      idle = idle.filter((other) => !over.includes(other))
      yield* Effect.forEach(over, end, { discard: true })
    })
    yield* endIdle.pipe(Effect.repeat(Schedule.spaced("5 seconds")), Effect.forkScoped)

    return {
      use: (fits, job) => Effect.acquireUseRelease(acquire(fits), ({ reader }) => job(reader), release)
    }
  })
