import type { Candidate } from "./Candidate.ts"
import type { Features } from "../scoring/Scoring.ts"

/** A candidate for one field, with how well it fits. */
export interface Ranked<A = unknown> extends Candidate<A> {
  /** How well label, place and value fit together, 0–1. */
  readonly score: number
  /** The value was worked out from several that stand there, and stands nowhere itself. */
  readonly computed?: boolean
  /** What the score was made of, where it was learned. */
  readonly features?: Features
}

/** A candidate with another score. */
export const scored = <A>(found: Candidate<A>, score: number): Ranked<A> => ({ ...found, score })

/** The best of each value, the best first. */
export const best = <A>(ranked: ReadonlyArray<Ranked<A>>, most = 8): Array<Ranked<A>> => {
  const byValue = new Map<unknown, Ranked<A>>()
  for (const candidate of ranked) {
    const known = byValue.get(candidate.value)
    if (known === undefined || candidate.score > known.score) byValue.set(candidate.value, candidate)
  }
  return [...byValue.values()].toSorted((a, b) => b.score - a.score).slice(0, most)
}

/** How sure the first of several is: less where another value fits nearly as well. */
export const confidenceOf = (ranked: ReadonlyArray<Ranked>): number => {
  const [first, second] = ranked
  if (first === undefined) return 0
  const rivalry = second === undefined ? 0 : Math.max(0, 1 - (first.score - second.score) / 0.15)
  return Math.round(Math.min(0.99, first.score) * (1 - 0.35 * rivalry) * 100) / 100
}
