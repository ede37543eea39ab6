import { Clock, Effect } from "effect"

/** The minimum interval between two reports, and before the first one, in milliseconds. */
const intervalMs = 300

/**
 * Reports the progress inside the steps of an execution: the latest of each interval, unless its step has ended by then. Most
 * steps take so little time that nothing is reported. Reports end with the scope.
 */
export const makeProgressReports = Effect.fnUntraced(function* (
  write: (path: string, percentage: number) => Effect.Effect<void>
) {
  const scope = yield* Effect.scope
  let latest: { readonly path: string; readonly percentage: number } | undefined
  let isTimed = false
  let reportedAt = yield* Clock.currentTimeMillis

  const reportLatest = Effect.gen(function* () {
    isTimed = false
    if (latest === undefined) return
    const { path, percentage } = latest
    latest = undefined
    reportedAt = yield* Clock.currentTimeMillis
    yield* write(path, percentage)
  })

  return {
    /** A step has got so far; does not wait for the report. */
    report: Effect.fnUntraced(function* (path: string, percentage: number) {
      latest = { path, percentage }
      if (isTimed) return
      isTimed = true
      const wait = Math.max(0, reportedAt + intervalMs - (yield* Clock.currentTimeMillis))
      yield* Effect.sleep(wait).pipe(Effect.andThen(reportLatest), Effect.forkIn(scope))
    }),
    /** Nothing more is reported of a step. */
    ended: (path: string): void => {
      if (latest?.path === path) latest = undefined
    }
  }
})
