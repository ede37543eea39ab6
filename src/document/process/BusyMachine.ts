import { availableParallelism, loadavg } from "node:os"
import { Clock, Effect } from "effect"

/** The maximum wall time, as a multiple of a limit, on a machine that is busy with other work. */
const patience = 6

/** How many programs want each core, averaged over a minute: 1 where all have one; 0 where the system does not say. */
const loadOfCore = Effect.sync(() => (loadavg()[0] ?? 0) / availableParallelism())

/**
 * Runs an effect with a time limit in milliseconds that is longer while the machine is busy, at most `patience` times: there,
 * wall time says little about the work. Returns the result and the milliseconds that count towards the limit; fails with `late`.
 */
export const withinLimit = Effect.fnUntraced(function* <A, E, R, E2>(
  effect: Effect.Effect<A, E, R>,
  limit: number,
  late: () => E2,
  load: Effect.Effect<number> = loadOfCore
) {
  const slowness = Effect.map(load, (load) => Math.min(patience, Math.max(1, load)))
  const overtime = Effect.gen(function* () {
    let waited = 0
    for (;;) {
      const left = limit * (yield* slowness) - waited
      if (left <= 0) return yield* Effect.fail(late())
      yield* Effect.sleep(left)
      waited += left
    }
  })
  const begunAt = yield* Clock.currentTimeMillis
  const result = yield* Effect.raceFirst(effect, overtime)
  const took = (yield* Clock.currentTimeMillis) - begunAt
  return { result, counted: took / (yield* slowness) }
})
