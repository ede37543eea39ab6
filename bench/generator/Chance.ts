import { type Random, randomOf } from "../../test/fixtures/varied/Random.ts"

/** Random choices that are the same for the same seed. */
export interface Chance extends Random {
  /** True with the probability `share`. */
  readonly odds: (share: number) => boolean
  /** Some of a list, in a random order. */
  readonly some: <A>(list: ReadonlyArray<A>, low: number, high: number) => ReadonlyArray<A>
}

/** Random choices from a name. */
export const chanceOf = (name: string): Chance => {
  const random = randomOf(name)
  return {
    ...random,
    odds: (share) => random.whole(0, 9999) < share * 10_000,
    some: (list, low, high) => {
      const left = [...list]
      const taken: Array<(typeof left)[number]> = []
      const wanted = Math.min(left.length, random.whole(low, high))
      while (taken.length < wanted) taken.push(...left.splice(random.whole(0, left.length - 1), 1))
      return taken
    }
  }
}
