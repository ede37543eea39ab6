import { Effect } from "effect"

/** A request that holds a place at a provider. */
export interface Held {
  readonly organization: string
  /** When it got its place, in milliseconds. */
  readonly from: number
  /** Requests that the provider may answer before this one. */
  readonly ahead: ReadonlySet<Held>
  /** When the provider could begin with this one, in milliseconds, as far as is known. */
  since: number
}

interface Waiting {
  readonly organization: string
  readonly begin: (held: Held) => void
}

/**
 * The places at a provider. The next one goes to the organization that holds the fewest, then to who came first. Their
 * number adapts: it is halved if the provider limits requests or answers none in time, and grows with its answers.
 */
export class ModelPlaces {
  readonly #most: number
  #open: number
  #answered = 0
  /** When the number was last reduced. */
  #reduced = 0
  readonly #held = new Set<Held>()
  readonly #waiting = new Set<Waiting>()
  readonly #now: () => number

  constructor(most: number, now: () => number) {
    this.#most = most
    this.#open = most
    this.#now = now
  }

  /** Runs an effect in a place, as soon as there is one. */
  use<A, E, R>(organization: string, effect: (held: Held) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.uninterruptibleMask((restore) => {
      let granted: Held | undefined
      const take = Effect.callback<Held>((resume) => {
        const begin = (held: Held): void => {
          granted = held
          resume(Effect.succeed(held))
        }
        const waiting = { organization, begin }
        this.#waiting.add(waiting)
        this.#fill()
        return Effect.sync(() => void this.#waiting.delete(waiting))
      })
      // It may be granted and interrupted at once.
      const giveBack = Effect.sync(() => {
        if (granted !== undefined) this.#giveBack(granted)
      })
      return restore(take).pipe(
        Effect.onInterrupt(() => giveBack),
        Effect.flatMap((held) => Effect.ensuring(restore(effect(held)), giveBack))
      )
    })
  }

  /** The provider answered a request. */
  answered(): void {
    this.#answered++
    if (this.#answered < this.#open || this.#open >= this.#most) return
    this.#answered = 0
    this.#open++
    this.#fill()
  }

  /** The provider did not want a request, or did not come to it in time: of those sent together, one counts. */
  overloaded({ from }: Held): void {
    if (from < this.#reduced) return
    this.#reduced = this.#now()
    this.#answered = 0
    this.#open = Math.max(1, Math.floor(this.#open / 2))
  }

  #giveBack(held: Held): void {
    this.#held.delete(held)
    for (const other of this.#held) if (other.ahead.has(held)) other.since = this.#now()
    this.#fill()
  }

  #heldBy(organization: string): number {
    let count = 0
    for (const held of this.#held) if (held.organization === organization) count++
    return count
  }

  #fill(): void {
    while (this.#held.size < this.#open) {
      let next: Waiting | undefined
      let fewest = Infinity
      for (const waiting of this.#waiting) {
        const count = this.#heldBy(waiting.organization)
        if (count >= fewest) continue
        next = waiting
        fewest = count
      }
      if (next === undefined) return
      this.#waiting.delete(next)
      const held = {
        organization: next.organization,
        ahead: new Set(this.#held),
        from: this.#now(),
        since: this.#now()
      }
      this.#held.add(held)
      next.begin(held)
    }
  }
}
