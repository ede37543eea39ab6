import type { Turns } from "./ScanImage.ts"

/**
 * How the pages of one scan lay so far: whoever puts a pile in upside down does so with all of it. Those whose lines
 * seem to run up or down are counted apart, for a scan may hold both.
 */
export class ScanDirections {
  readonly #upright = new Map<Turns, number>()
  readonly #sideways = new Map<Turns, number>()

  /**
   * The direction to try before the usual ones, of which `usual` is the first, where more pages lay so. As many are not
   * enough: in a pile of two-sided sheets every second page may be on its head.
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

  /** Remembers how a page lay that could be read well. */
  tell(sideways: boolean, turns: Turns): void {
    const found = this.#of(sideways)
    found.set(turns, (found.get(turns) ?? 0) + 1)
  }

  #of(sideways: boolean): Map<Turns, number> {
    return sideways ? this.#sideways : this.#upright
  }
}
