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

/** The progress of a flow, in percent. It never decreases, even with parallel steps. */
export class Progress {
  readonly #total: number
  #done = 0
  #highest = 0

  constructor(total: number) {
    this.#total = total
  }

  /** Counts work as done. */
  add(amount: number): void {
    this.#done += amount
  }

  /** The progress, with `more` work that is not counted yet. */
  percentage(more: number): number {
    const done = this.#total === 0 ? 1 : (this.#done + more) / this.#total
    this.#highest = Math.max(this.#highest, 100 * Math.min(done, 1))
    return this.#highest
  }
}

/** The share of the progress that a step accounts for. It passes parts of it on to the steps inside. */
export class ProgressWeight {
  readonly #progress: Progress
  #left: number

  constructor(progress: Progress, amount: number) {
    this.#progress = progress
    this.#left = amount
  }

  /** Takes a part of what is left, for a step inside. */
  take(amount: number): ProgressWeight {
    const taken = Math.min(amount, this.#left)
    this.#left -= taken
    return new ProgressWeight(this.#progress, taken)
  }

  get left(): number {
    return this.#left
  }

  /** The progress of the flow if this share of the step is done, from 0 to 1. */
  percentageAt(fraction: number): number {
    return this.#progress.percentage(this.#left * Math.min(Math.max(fraction, 0), 1))
  }

  /** Counts what is left as done. */
  finish(): void {
    this.#progress.add(this.#left)
    this.#left = 0
  }
}
