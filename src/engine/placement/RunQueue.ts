import { Clock, Effect } from "effect"

/** An execution that waits to run, and how urgent it is. */
export interface Turn {
  readonly organizationId: string
  /** Whether a caller waits for the result in the same request. */
  readonly waited: boolean
}

interface Waiting extends Turn {
  readonly seat: () => void
}

/** Background executions get one of this number of slots that both kinds want, so that they always make progress. */
const backgroundEvery = 4
/** The assumed time of an execution before any has ended here, in milliseconds, and the weight of each one that ends. */
const firstAverage = 1_000
const weight = 1 / 16
/** The part of the slots that no single organization may hold: another one's first execution starts at once. */
const partForOthers = 1 / 8

/**
 * The slots in which a runner works. Executions that somebody waits for go first; among equals the organization that
 * holds the fewest slots, then who came first. An organization with thousands of executions does not keep another
 * waiting.
 */
export class RunQueue {
  #free: number
  #waiting = 0
  #average = firstAverage
  readonly #slots: number
  readonly #mostForOne: number
  readonly #held = new Map<string, number>()
  readonly #waited = new Map<string, Set<Waiting>>()
  readonly #background = new Map<string, Set<Waiting>>()
  #grants = 0

  constructor(slots: number) {
    this.#slots = slots
    this.#free = slots
    this.#mostForOne = Math.max(1, Math.floor(slots * (1 - partForOthers)))
  }

  /** Runs an effect in a slot, as soon as one is free. */
  with<A, E, R>(turn: Turn, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.uninterruptibleMask((restore) =>
      Effect.andThen(
        restore(this.#take(turn)),
        Effect.flatMap(Clock.currentTimeMillis, (since) =>
          Effect.ensuring(
            restore(effect),
            Effect.map(Clock.currentTimeMillis, (now) => this.#giveBack(turn.organizationId, now - since))
          )
        )
      )
    )
  }

  /** The number of executions that hold a slot. */
  get running(): number {
    return this.#slots - this.#free
  }

  /** The number of executions that wait for a slot. */
  get waiting(): number {
    return this.#waiting
  }

  /** How long one more execution of an organization would wait, in milliseconds, if all take as long as the last ones. */
  expectedWait(organizationId: string): number {
    const startsNow = this.#free > 0 && this.#heldBy(organizationId) < this.#mostForOne
    return startsNow ? 0 : ((this.#waiting + 1) * this.#average) / this.#slots
  }

  #take(turn: Turn): Effect.Effect<void> {
    return Effect.callback<void>((resume) => {
      const waiting = { ...turn, seat: () => resume(Effect.void) }
      const queues = turn.waited ? this.#waited : this.#background
      const queue = queues.get(turn.organizationId) ?? new Set()
      queues.set(turn.organizationId, queue.add(waiting))
      this.#waiting++
      this.#serve()
      return Effect.sync(() => this.#remove(queues, waiting))
    })
  }

  #giveBack(organizationId: string, took: number): void {
    this.#free++
    this.#average += weight * (took - this.#average)
    const left = this.#heldBy(organizationId) - 1
    if (left > 0) this.#held.set(organizationId, left)
    else this.#held.delete(organizationId)
    this.#serve()
  }

  #serve(): void {
    while (this.#free > 0) {
      const backgroundFirst = this.#grants % backgroundEvery === backgroundEvery - 1
      const order = backgroundFirst ? [this.#background, this.#waited] : [this.#waited, this.#background]
      const next = order.map((queues) => this.#nextOf(queues)).find((waiting) => waiting !== undefined)
      if (next === undefined) return
      this.#remove(next.waited ? this.#waited : this.#background, next)
      this.#grants++
      this.#free--
      this.#held.set(next.organizationId, this.#heldBy(next.organizationId) + 1)
      next.seat()
    }
  }

  /** Maps keep the order of organizations, sets that of their executions. */
  #nextOf(queues: ReadonlyMap<string, ReadonlySet<Waiting>>): Waiting | undefined {
    let fewest = this.#mostForOne
    let best: ReadonlySet<Waiting> | undefined
    for (const [organizationId, queue] of queues) {
      const held = this.#heldBy(organizationId)
      if (held >= fewest) continue
      fewest = held
      best = queue
    }
    return best?.values().next().value
  }

  #heldBy(organizationId: string): number {
    return this.#held.get(organizationId) ?? 0
  }

  #remove(queues: Map<string, Set<Waiting>>, waiting: Waiting): void {
    const queue = queues.get(waiting.organizationId)
    if (queue?.delete(waiting) === true) this.#waiting--
    if (queue?.size === 0) queues.delete(waiting.organizationId)
  }
}
