/** Remembers the most recent ids. */
export class RecentIds {
  readonly #limit: number
  readonly #ids = new Set<string>()

  constructor(limit: number) {
    this.#limit = limit
  }

  add(id: string): void {
    this.#ids.add(id)
    const [oldest] = this.#ids
    if (this.#ids.size > this.#limit && oldest !== undefined) this.#ids.delete(oldest)
  }

  has(id: string): boolean {
    return this.#ids.has(id)
  }
}
