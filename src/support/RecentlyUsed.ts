/** How long an unused value is kept, in milliseconds. */
const keptFor = 5 * 60_000

interface Kept<A> {
  readonly value: A
  readonly size: number
  readonly until: number
}

/** A cache of recently used values, up to a total size, for five minutes. */
export class RecentlyUsed<A> {
  readonly #kept = new Map<string, Kept<A>>()
  readonly #limit: number
  #size = 0

  /** `limit` is the maximum total size. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** The cached value of a name; `now` is in milliseconds. */
  find(name: string, now: number): A | undefined {
    const found = this.#kept.get(name)
    if (found === undefined) return undefined
    this.#remove(name)
    if (found.until < now) return undefined
    this.#add(name, found)
    return found.value
  }

  /** Caches a value, unless it is larger than half of the limit. */
  keep(name: string, value: A, size: number, now: number): void {
    this.#remove(name)
    for (const [old, { until }] of this.#kept) if (until < now) this.#remove(old)
    if (size > this.#limit / 2) return
    this.#add(name, { value, size, until: now + keptFor })
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= this.#limit) break
      this.#remove(oldest)
    }
  }

  #add(name: string, kept: Kept<A>): void {
    this.#kept.set(name, kept)
    this.#size += kept.size
  }

  #remove(name: string): void {
    this.#size -= this.#kept.get(name)?.size ?? 0
    this.#kept.delete(name)
  }
}
