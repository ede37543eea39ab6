import type { Scored } from "../../../dsl/model/Calibration.ts"
import { roundedCurve } from "./Curve.ts"
import { type FittedCurve, lookUp } from "./FittedCurve.ts"
import { folds } from "./Folds.ts"
import { isotonicCurve } from "./Isotonic.ts"
import { type Judged, logLoss } from "./Reliability.ts"
import type { Observation } from "./Observation.ts"
import { plattCurve, plattCurveWithin, plattLine } from "./Platt.ts"
import { shifted } from "./ShiftCurves.ts"

/** The minimum number of values for which a kind of document, or a type of field within it, gets its own curve. */
const fewest = { document: 50, type: 20 }

/**
 * Isotonic regression overfits with fewer values (Niculescu-Mizil and Caruana 2005 name 1,000), and is constant if
 * nothing is wrong; it cannot distinguish types.
 */
const fewestFor = { isotonic: { values: 300, wrong: 30 }, type: { wrong: 10 } }

type Observations = ReadonlyArray<Observation>
type Fit = (of: FittedCurve["of"], observations: Observations) => ReadonlyArray<FittedCurve>

const fitted = (
  of: FittedCurve["of"],
  method: FittedCurve["method"],
  observations: Observations,
  points: FittedCurve["points"]
): FittedCurve => ({
  of,
  method,
  values: observations.length,
  wrong: observations.filter(({ right }) => !right).length,
  points: roundedCurve(points)
})

const groupsBy = <K extends keyof Scored>(observations: Observations, key: K) => [
  ...Map.groupBy(observations, ({ of }) => of[key])
]

/** One logistic curve for all values. */
const byPlatt: Fit = (of, observations) => [fitted(of, "platt", observations, plattCurve(observations))]

/** One step curve for all values. */
const byIsotonic: Fit = (of, observations) => [
  fitted(of, "isotonic", observations, isotonicCurve(observations))
]

/** A logistic curve for each type, drawn towards that of all values. */
const byType: Fit = (of, observations) => {
  const line = plattLine(observations)
  const ofTypes = groupsBy(observations, "type").flatMap(([type, part]) =>
    part.length < fewest.type ? [] : [fitted({ ...of, type }, "platt", part, plattCurveWithin(part, line))]
  )
  return [...byPlatt(of, observations), ...ofTypes]
}

/** The confidences that values get from curves fitted without their documents. */
const crossJudged = (
  observations: Observations,
  fit: (others: Observations) => ReadonlyArray<FittedCurve>
): ReadonlyArray<Judged> =>
  folds(observations).flatMap(({ held, rest }) => {
    const curves = rest.length === 0 ? [] : fit(rest)
    return held.map(({ of, right, score }) => ({ confidence: lookUp(curves, score, of), right }))
  })

/** Chooses the way of fitting that is best on documents that it was not fitted on. */
const fitGroup: Fit = (of, observations) => {
  const wrong = observations.filter(({ right }) => !right).length
  const { isotonic, type } = fewestFor
  const ways = [byPlatt]
  const types = new Set(observations.map(({ of }) => of.type))
  if (wrong >= type.wrong && types.size > 1) ways.push(byType)
  if (wrong >= isotonic.wrong && observations.length >= isotonic.values) ways.push(byIsotonic)
  const losses = ways.map((way) => logLoss(crossJudged(observations, (others) => way(of, others))))
  const best = ways[losses.indexOf(Math.min(...losses))] ?? byPlatt
  return best(of, observations)
}

/**
 * The curves of all groups that have enough values: for each source of values, all together and by kind of document, and
 * within that by type of field where the types differ. `accuracy` is the share of right values to expect where the test set is
 * easier than the documents to come.
 */
export const fitCurves = (observations: Observations, accuracy?: number): ReadonlyArray<FittedCurve> => {
  const curves: Array<FittedCurve> = []
  for (const [by, ofSource] of groupsBy(observations, "by")) {
    curves.push(...byPlatt({ by }, ofSource))
    for (const [document, ofKind] of groupsBy(ofSource, "document")) {
      if (ofKind.length >= fewest.document) curves.push(...fitGroup({ by, document }, ofKind))
    }
  }
  return shifted(curves, observations, accuracy)
}

/** The quality of the calibrated confidences on documents that the curves were not fitted on, by cross-validation. */
export const crossValidated = (observations: Observations, accuracy?: number): ReadonlyArray<Judged> =>
  crossJudged(observations, (others) => fitCurves(others, accuracy))
