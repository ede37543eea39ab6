import { Effect } from "effect"

/** A correction and its possible readings, the most likely first. */
export interface Readable<A> {
  readonly item: A
  readonly readings: ReadonlyArray<unknown>
  /** Corrections of one column of a table are read in the same way. */
  readonly column: string
}

/** Each item with the value that was chosen for it. */
export type Chosen<A> = ReadonlyArray<readonly [item: A, value: unknown]>

/** The result of the choice: all values, or the first item without a valid reading, and why. */
export type Choice<A> =
  | { readonly _tag: "Chosen"; readonly all: Chosen<A> }
  | { readonly _tag: "Refused"; readonly item: A; readonly reason: string }

/**
 * Chooses a reading for each item so that all together are valid: `problemOf` says what is wrong with the first n
 * items. Trying takes long, so items are tried together, and the first invalid one is found by bisection.
 */
export const chooseReadings = <A, E, R>(
  items: ReadonlyArray<Readable<A>>,
  problemOf: (chosen: Chosen<A>) => Effect.Effect<string | undefined, E, R>
): Effect.Effect<Choice<A>, E, R> =>
  Effect.gen(function* () {
    const reading = items.map(() => 0)
    const chosen = (count: number): Chosen<A> =>
      items.slice(0, count).map(({ item, readings }, at) => [item, readings[reading[at] ?? 0]] as const)
    // Yields first: a try may block the event loop for some milliseconds.
    const tryFirst = (count: number) => Effect.andThen(Effect.yieldNow, problemOf(chosen(count)))

    for (;;) {
      let reason = yield* tryFirst(items.length)
      if (reason === undefined) return { _tag: "Chosen", all: chosen(items.length) }
      let right = 0
      let wrong = items.length
      while (wrong - right > 1) {
        const middle = (right + wrong) >> 1
        const problem = yield* tryFirst(middle)
        if (problem === undefined) right = middle
        else {
          wrong = middle
          reason = problem
        }
      }
      const first = items[right]
      if (first === undefined) return { _tag: "Chosen", all: [] }
      if (!readNext(items, reading, right)) return { _tag: "Refused", item: first.item, reason }
    }
  })

/** Moves an item, and those after it in its column, to their next reading. False if there is none. */
const readNext = (items: ReadonlyArray<Readable<unknown>>, reading: Array<number>, from: number): boolean => {
  const [first, next] = [items[from], (reading[from] ?? 0) + 1]
  if (first === undefined || next >= first.readings.length) return false
  for (const [at, { column, readings }] of items.entries()) {
    if (at >= from && column === first.column && next < readings.length) reading[at] = next
  }
  return true
}
