import type { Turns } from "./ScanImage.ts"

/**
 * The directions of the pages of one scan so far: a pile that is upside down is so as a whole. Pages with vertical
 * lines are counted separately, because a scan may contain both.
 */
export class ScanDirections {
  readonly #upright = new Map<Turns, number>()
  readonly #sideways = new Map<Turns, number>()

  /**
   * The direction to try before the usual ones, of which `usual` is the first: one that more pages had. An equal number
   * is not enough: in a pile of two-sided sheets, every second page may be upside down.
   */
  likely(sideways: boolean, usual: Turns): Turns | undefined {
    const found = this.#of(sideways)
    let likely: Turns | undefined
    let most = found.get(usual) ?? 0
    for (const [turns, count] of found) {
      if (count > most) [likely, most] = [turns, count]
    }
    return likely
  }

  /** Remembers the direction of a page that was read well. */
  tell(sideways: boolean, turns: Turns): void {
    const found = this.#of(sideways)
    found.set(turns, (found.get(turns) ?? 0) + 1)
  }

  #of(sideways: boolean): Map<Turns, number> {
    return sideways ? this.#sideways : this.#upright
  }
}
