/** The progress of a flow, in percent. It never decreases, even with parallel steps. */
export class Progress {
  readonly #total: number
  #done = 0
  #highest = 0

  constructor(total: number) {
    this.#total = total
  }

  /** Counts work as done. */
  add(amount: number): void {
    this.#done += amount
  }

  /** The progress, with `more` work that is not counted yet. */
  percentage(more: number): number {
    const done = this.#total === 0 ? 1 : (this.#done + more) / this.#total
    this.#highest = Math.max(this.#highest, 100 * Math.min(done, 1))
    return this.#highest
  }
}

/** The share of the progress that a step accounts for. It passes parts of it on to the steps inside. */
export class ProgressWeight {
  readonly #progress: Progress
  #left: number

  constructor(progress: Progress, amount: number) {
    this.#progress = progress
    this.#left = amount
  }

  /** Takes a part of what is left, for a step inside. */
  take(amount: number): ProgressWeight {
    const taken = Math.min(amount, this.#left)
    this.#left -= taken
    return new ProgressWeight(this.#progress, taken)
  }

  get left(): number {
    return this.#left
  }

  /** The progress of the flow if this share of the step is done, from 0 to 1. */
  percentageAt(fraction: number): number {
    return this.#progress.percentage(this.#left * Math.min(Math.max(fraction, 0), 1))
  }

  /** Counts what is left as done. */
  finish(): void {
    this.#progress.add(this.#left)
    this.#left = 0
  }
}
