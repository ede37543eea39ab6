import { Clock, Deferred, Effect } from "effect"
import { RecentlyUsed } from "./RecentlyUsed.ts"

interface SharedCacheOptions<A> {
  /** The maximum total size. */
  readonly limit: number
  /** The size of a value, in the unit of the limit. */
  readonly sizeOf: (value: A) => number
}

/**
 * A cache of recently used values, up to a total size, for five minutes. A value is made once: those who ask for it in the
 * meantime wait for it, and it is finished for the others if the first one stops waiting.
 */
export const makeSharedCache = Effect.fnUntraced(function* <A, E>({ limit, sizeOf }: SharedCacheOptions<A>) {
  const scope = yield* Effect.scope
  const kept = new RecentlyUsed<A>(limit)
  const inProgress = new Map<string, Deferred.Deferred<A, E>>()

  const start = (name: string, make: Effect.Effect<A, E>, made: Deferred.Deferred<A, E>) =>
    make.pipe(
      Effect.tap((value) =>
        Effect.map(Clock.currentTimeMillis, (now) => kept.keep(name, value, sizeOf(value), now))
      ),
      Effect.ensuring(Effect.sync(() => inProgress.delete(name))),
      Deferred.into(made),
      Effect.forkIn(scope)
    )

  return {
    /** The value of a name, which `make` makes unless it is known. */
    get: (name: string, make: Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const found = kept.find(name, now)
          if (found !== undefined) return Effect.succeed(found)
          const other = inProgress.get(name)
          if (other !== undefined) return restore(Deferred.await(other))
          const made = Deferred.makeUnsafe<A, E>()
          inProgress.set(name, made)
          return Effect.andThen(start(name, make, made), restore(Deferred.await(made)))
        })
      )
  }
})
