/** What may be in flight: the bytes of one body, of all bodies together, and how many there are. */
export interface BodyLimits {
  readonly perRequest: number
  readonly inFlight: number
  readonly requests: number
}

/** Organizations that can each send as much at once as one may. */
const shares = 3

interface InFlight {
  bytes: number
  requests: number
}

/**
 * Counts the bodies that are being received or worked on, and their bytes as they arrive: what has only been announced
 * counts for nothing. One owner may have a third of it, so that nobody keeps the others out.
 */
export class BodyBudget {
  readonly #limits: BodyLimits
  readonly #all: InFlight = { bytes: 0, requests: 0 }
  readonly #owned = new Map<string, InFlight>()

  constructor(limits: BodyLimits) {
    this.#limits = limits
  }

  /** Counts a body of `owner`. */
  enter(owner: string): void {
    const own = this.#owned.get(owner) ?? { bytes: 0, requests: 0 }
    this.#owned.set(owner, own)
    own.requests += 1
    this.#all.requests += 1
  }

  /** Counts bytes that have arrived. */
  add(owner: string, bytes: number): void {
    const own = this.#owned.get(owner)
    if (own !== undefined) own.bytes += bytes
    this.#all.bytes += bytes
  }

  /** Takes a body and the bytes that arrived of it off again. */
  leave(owner: string, bytes: number): void {
    this.add(owner, -bytes)
    this.#all.requests -= 1
    const own = this.#owned.get(owner)
    if (own === undefined) return
    own.requests -= 1
    if (own.requests === 0) this.#owned.delete(owner)
  }

  /** What is over its limit, if `more` bytes of `owner` arrive: all bodies together, or those of the owner. */
  excess(owner: string, more = 0): "all" | "owner" | undefined {
    const { inFlight, requests } = this.#limits
    const own = this.#owned.get(owner) ?? { bytes: 0, requests: 0 }
    if (own.bytes + more > inFlight / shares || own.requests > requests / shares) return "owner"
    return this.#all.bytes + more > inFlight || this.#all.requests > requests ? "all" : undefined
  }
}
