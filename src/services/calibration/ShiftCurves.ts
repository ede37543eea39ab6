import type { FittedCurve } from "./FittedCurve.ts"
import { roundedCurve } from "./Curve.ts"
import { documentsOf, type Observation, succession } from "./Observation.ts"

const odds = (share: number): number => Math.log(share / (1 - share))

/**
 * Moves curves from a test set to documents of which a smaller share of the values is right, by the rule for shifted
 * labels (Saerens, Latinne and Decaestecker 2002): the odds of all values change by the same factor. Never to a larger
 * share.
 *
 * @param accuracy the share of right values to expect, 0–1; undefined if the test set is like the documents to come
 */
export const shifted = (
  curves: ReadonlyArray<FittedCurve>,
  observations: ReadonlyArray<Observation>,
  accuracy: number | undefined
): ReadonlyArray<FittedCurve> => {
  if (accuracy === undefined || observations.length === 0) return curves
  const right = observations.filter((observation) => observation.right).length / observations.length
  const by = Math.min(0, odds(accuracy) - odds(succession(right, documentsOf(observations))))
  const move = (confidence: number): number => 1 / (1 + Math.exp(-odds(confidence) - by))
  return curves.map(({ points, ...rest }) => ({
    ...rest,
    points: roundedCurve(points.map(([score, confidence]) => [score, move(confidence)]))
  }))
}
