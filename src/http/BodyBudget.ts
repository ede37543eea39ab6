/** The limits of bodies in flight: the bytes of one, the bytes of all together, and their number. */
export interface BodyLimits {
  readonly perRequest: number
  readonly inFlight: number
  readonly requests: number
}

/** The number of organizations that can each use their full share at the same time. */
const shares = 3

interface InFlight {
  bytes: number
  requests: number
}

/**
 * Counts the bodies that are being received or processed, and their bytes as they arrive, not as announced. One owner
 * may use a third of the budget, so that nobody locks the others out.
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

  /** Removes a body and its bytes from the count. */
  leave(owner: string, bytes: number): void {
    this.add(owner, -bytes)
    this.#all.requests -= 1
    const own = this.#owned.get(owner)
    if (own === undefined) return
    own.requests -= 1
    if (own.requests === 0) this.#owned.delete(owner)
  }

  /** The limit that is exceeded if `more` bytes of `owner` arrive: that of all bodies together, or that of the owner. */
  excess(owner: string, more = 0): "all" | "owner" | undefined {
    const { inFlight, requests } = this.#limits
    const own = this.#owned.get(owner) ?? { bytes: 0, requests: 0 }
    if (own.bytes + more > inFlight / shares || own.requests > requests / shares) return "owner"
    return this.#all.bytes + more > inFlight || this.#all.requests > requests ? "all" : undefined
  }
}
