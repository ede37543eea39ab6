import { Effect } from "effect"

interface Waiting {
  readonly owner: object
  readonly seat: () => void
}

/**
 * Slots that several owners share. The owner with the fewest is served first, among equals the first to come: an owner
 * with hundreds of jobs does not delay one with a single job.
 */
export class FairSlots {
  #free: number
  /** The maximum that one owner may hold, so that one slot is left for others. */
  readonly mostForOne: number
  readonly #held = new Map<object, number>()
  readonly #waiting: Array<Waiting> = []

  constructor(total: number, mostForOne = total) {
    this.#free = total
    this.mostForOne = Math.max(1, Math.min(total, mostForOne))
  }

  /** The number of those who wait for a slot. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Runs an effect in a slot of `owner`, as soon as one is free. */
  with<A, E, R>(owner: object, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.uninterruptibleMask((restore) =>
      Effect.andThen(
        restore(this.#take(owner)),
        Effect.ensuring(
          restore(effect),
          Effect.sync(() => this.#giveBack(owner))
        )
      )
    )
  }

  #take(owner: object): Effect.Effect<void> {
    return Effect.callback<void>((resume) => {
      const waiting = { owner, seat: () => resume(Effect.void) }
      this.#waiting.push(waiting)
      this.#serve()
      return Effect.sync(() => {
        const at = this.#waiting.indexOf(waiting)
        if (at >= 0) this.#waiting.splice(at, 1)
      })
    })
  }

  #giveBack(owner: object): void {
    this.#free++
    const left = this.#heldBy(owner) - 1
    if (left > 0) this.#held.set(owner, left)
    else this.#held.delete(owner)
    this.#serve()
  }

  #serve(): void {
    while (this.#free > 0) {
      const next = this.#next()
      if (next === undefined) return
      this.#waiting.splice(this.#waiting.indexOf(next), 1)
      this.#free--
      this.#held.set(next.owner, this.#heldBy(next.owner) + 1)
      next.seat()
    }
  }

  #next(): Waiting | undefined {
    let best: Waiting | undefined
    for (const waiting of this.#waiting) {
      const held = this.#heldBy(waiting.owner)
      if (held < this.mostForOne && (best === undefined || held < this.#heldBy(best.owner))) best = waiting
    }
    return best
  }

  #heldBy(owner: object): number {
    return this.#held.get(owner) ?? 0
  }
}
