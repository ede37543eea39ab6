import type { Candidate } from "./CombineCandidates.ts"
import { surest } from "./Support.ts"

/** The ways to choose among the values that sources have for a field. */
export const ways = ["merge", "vote", "unanimous", "best", "consensus"] as const

/** How a value is chosen. `sources` is how many there are, those that found nothing included. */
export interface Choice {
  readonly by: (typeof ways)[number]
  readonly sources: number
  readonly atLeast?: number
}

/** Of equals the first. */
const highest = (
  candidates: ReadonlyArray<Candidate>,
  of: (candidate: Candidate) => number
): Candidate | undefined =>
  candidates.reduce<Candidate | undefined>(
    (best, next) => (best === undefined || of(next) > of(best) ? next : best),
    undefined
  )

const votes = ({ votes }: Candidate): number => votes.length

/** The chosen candidate, if any may be. */
export const choose = (
  candidates: ReadonlyArray<Candidate>,
  { atLeast, by, sources }: Choice
): Candidate | undefined => {
  const most = highest(candidates, votes)
  const enough = (needed: number) => (most !== undefined && most.votes.length >= needed ? most : undefined)
  switch (by) {
    case "merge":
      return candidates[0]
    case "vote":
      return most
    case "best":
      return highest(candidates, surest)
    case "unanimous":
      return enough(sources)
    case "consensus":
      return enough(atLeast ?? Math.floor(sources / 2) + 1)
  }
}
