/** How much of a flow is done, in percent. It never falls, whatever runs side by side. */
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

  /** What is done, with `more` that is not counted yet. */
  percentage(more: number): number {
    const done = this.#total === 0 ? 1 : (this.#done + more) / this.#total
    this.#highest = Math.max(this.#highest, 100 * Math.min(done, 1))
    return this.#highest
  }
}

/** The part of a flow that a step is. What it gives away to steps inside it, these count as done. */
export class ProgressWeight {
  readonly #progress: Progress
  #left: number

  constructor(progress: Progress, amount: number) {
    this.#progress = progress
    this.#left = amount
  }

  /** Gives a part of what is left away. */
  take(amount: number): ProgressWeight {
    const taken = Math.min(amount, this.#left)
    this.#left -= taken
    return new ProgressWeight(this.#progress, taken)
  }

  get left(): number {
    return this.#left
  }

  /** What is done of the flow when so much of this step is, from 0 to 1. */
  percentageAt(fraction: number): number {
    return this.#progress.percentage(this.#left * Math.min(Math.max(fraction, 0), 1))
  }

  /** Counts what is left as done. */
  finish(): void {
    this.#progress.add(this.#left)
    this.#left = 0
  }
}
