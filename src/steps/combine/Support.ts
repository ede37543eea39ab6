import { hundredths } from "../../support/Cents.ts"
import { type Candidate, strongest } from "./CombineCandidates.ts"

/** Sources read the same document, often with the same mistakes: another one that agrees counts half. */
const worthOfAgreement = 0.5
/** A rival as sure as can be takes this part of the confidence away. */
const costOfRival = 0.5
/** The confidence of a source without evidence. */
const withoutEvidence = 0.5

/** The confidence of each source that votes for a candidate, the highest first. */
const confidences = ({ votes }: Candidate): ReadonlyArray<number> =>
  votes
    .map(({ evidence }) => Math.min(1, Math.max(0, evidence?.confidence ?? withoutEvidence)))
    .toSorted((left, right) => right - left)

/** The confidence of the surest source that votes for a candidate. */
export const surest = (candidate: Candidate): number => confidences(candidate)[0] ?? 0

/** The joint confidence of the sources in a candidate: never less than the highest of them. */
const support = (candidate: Candidate): number => {
  const [best = 0, ...others] = confidences(candidate)
  return 1 - others.reduce((doubt, each) => doubt * (1 - worthOfAgreement * each), 1 - best)
}

/**
 * The confidence in the value that was chosen, from 0 to 1. With c1 the confidence of the surest of the sources that agree
 * and c2, c3 … those of the others, they support it with s = 1 - (1 - c1)(1 - c2/2)(1 - c3/2)…; of that, the best
 * supported other value takes its own support, halved: s · (1 - r/2). Agreement raises it, disagreement lowers it.
 * Below 1 unless one source was certain.
 */
export const confidenceOf = (chosen: Candidate, all: ReadonlyArray<Candidate>): number => {
  const rival = Math.max(0, ...all.filter((candidate) => candidate !== chosen).map(support))
  const most = Math.max(0.99, strongest(chosen.votes)?.evidence?.confidence ?? 0)
  const value = Math.min(most, support(chosen)) * (1 - costOfRival * rival)
  return hundredths(value)
}
