import { Effect } from "effect"
import { FairSlots } from "../../support/FairSlots.ts"

/** A request that holds a place at a provider. */
export interface Held {
  /** When it got its place, in milliseconds. */
  readonly from: number
  /** Requests that the provider may answer before this one. */
  readonly ahead: ReadonlySet<Held>
  /** When the provider could begin with this one, in milliseconds, as far as is known. */
  since: number
}

/**
 * The places at a provider. The next one goes to the organization that holds the fewest, then to who came first. Their
 * number adapts: it is halved if the provider limits requests or answers none in time, and grows with its answers.
 */
export class ModelPlaces {
  readonly #most: number
  readonly #slots: FairSlots<string>
  #open: number
  #answered = 0
  /** When the number was last reduced. */
  #reduced = 0
  readonly #held = new Set<Held>()
  readonly #now: () => number

  constructor(most: number, now: () => number) {
    this.#most = most
    this.#open = most
    this.#slots = new FairSlots(most)
    this.#now = now
  }

  /** Runs an effect in a place, as soon as there is one. */
  use<A, E, R>(organization: string, effect: (held: Held) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    const inPlace = Effect.acquireUseRelease(
      Effect.sync(() => {
        const now = this.#now()
        const held: Held = { ahead: new Set(this.#held), from: now, since: now }
        this.#held.add(held)
        return held
      }),
      effect,
      (held) =>
        Effect.sync(() => {
          this.#held.delete(held)
          for (const other of this.#held) if (other.ahead.has(held)) other.since = this.#now()
        })
    )
    return this.#slots.with(organization, inPlace)
  }

  /** The provider answered a request. */
  answered(): void {
    this.#answered++
    if (this.#answered < this.#open || this.#open >= this.#most) return
    this.#answered = 0
    this.#slots.resize(++this.#open)
  }

  /** The provider did not want a request, or did not come to it in time: of those sent together, one counts. */
  overloaded({ from }: Held): void {
    if (from < this.#reduced) return
    this.#reduced = this.#now()
    this.#answered = 0
    this.#open = Math.max(1, Math.floor(this.#open / 2))
    this.#slots.resize(this.#open)
  }
}
