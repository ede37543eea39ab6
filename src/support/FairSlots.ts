import { Effect } from "effect"

interface Waiting {
  readonly seat: () => void
}

/** Others get one of this number of slots that urgent and other work want, so that it always makes progress. */
const othersEvery = 4

/**
 * Slots that several owners share. Urgent work is served first; among equals, the owner that holds the fewest slots, and then the
 * one that came first: an owner with thousands of jobs does not delay one with a single job.
 */
export class FairSlots<Owner> {
  #total: number
  #running = 0
  #waiting = 0
  #grants = 0
  /** The maximum that one owner holds, so that other slots are left for others. */
  readonly mostForOne: number
  readonly #held = new Map<Owner, number>()
  readonly #urgent = new Map<Owner, Set<Waiting>>()
  readonly #others = new Map<Owner, Set<Waiting>>()

  constructor(total: number, mostForOne = total) {
    this.#total = total
    this.mostForOne = Math.max(1, Math.min(total, mostForOne))
  }

  /** Runs an effect in a slot of `owner`, as soon as one is free. */
  with<A, E, R>(owner: Owner, effect: Effect.Effect<A, E, R>, isUrgent = false): Effect.Effect<A, E, R> {
    return Effect.uninterruptibleMask((restore) => {
      let isSeated = false
      const giveBack = Effect.sync(() => {
        if (isSeated) this.#giveBack(owner)
      })
      const take = Effect.callback<void>((resume) => {
        const waiting = {
          seat: () => {
            isSeated = true
            resume(Effect.void)
          }
        }
        const queues = isUrgent ? this.#urgent : this.#others
        queues.set(owner, (queues.get(owner) ?? new Set()).add(waiting))
        this.#waiting++
        this.#serve()
        return Effect.sync(() => this.#remove(queues, owner, waiting))
      })
      // It may be seated and interrupted at once.
      return restore(take).pipe(
        Effect.onInterrupt(() => giveBack),
        Effect.flatMap(() => Effect.ensuring(restore(effect), giveBack))
      )
    })
  }

  /** The number of slots that are held. */
  get running(): number {
    return this.#running
  }

  /** The number of those who wait for a slot. */
  get waiting(): number {
    return this.#waiting
  }

  /** The number of jobs of an owner that hold a slot or wait for one. */
  jobsOf(owner: Owner): number {
    return this.#heldBy(owner) + (this.#urgent.get(owner)?.size ?? 0) + (this.#others.get(owner)?.size ?? 0)
  }

  /** Changes the number of slots. Where fewer are left than are held, nobody is served until enough are given back. */
  resize(total: number): void {
    this.#total = total
    this.#serve()
  }

  #giveBack(owner: Owner): void {
    this.#running--
    const left = this.#heldBy(owner) - 1
    if (left > 0) this.#held.set(owner, left)
    else this.#held.delete(owner)
    this.#serve()
  }

  #serve(): void {
    while (this.#running < this.#total) {
      const othersFirst = this.#grants % othersEvery === othersEvery - 1
      const order = othersFirst ? [this.#others, this.#urgent] : [this.#urgent, this.#others]
      if (!order.some((queues) => this.#seatOne(queues))) return
    }
  }

  #seatOne(queues: Map<Owner, Set<Waiting>>): boolean {
    let fewest = this.mostForOne
    let next: Owner | undefined
    // Maps keep the order of owners, sets that of their jobs.
    for (const owner of queues.keys()) {
      const held = this.#heldBy(owner)
      if (held < fewest) [fewest, next] = [held, owner]
    }
    const [waiting] = (next !== undefined && queues.get(next)) || []
    if (next === undefined || waiting === undefined) return false
    this.#remove(queues, next, waiting)
    this.#grants++
    this.#running++
    this.#held.set(next, fewest + 1)
    waiting.seat()
    return true
  }

  #heldBy(owner: Owner): number {
    return this.#held.get(owner) ?? 0
  }

  #remove(queues: Map<Owner, Set<Waiting>>, owner: Owner, waiting: Waiting): void {
    const queue = queues.get(owner)
    if (queue?.delete(waiting) === true) this.#waiting--
    if (queue?.size === 0) queues.delete(owner)
  }
}
