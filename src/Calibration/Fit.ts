import type { Scored } from "../../dsl/Calibration.ts"
import { type FittedCurve, lookUp } from "./FittedCurve.ts"
import { confidenceAt, type Curve, roundedCurve } from "./Curve.ts"
import { folds } from "./Folds.ts"
import { isotonicCurve } from "./Isotonic.ts"
import { type Judged, logLoss } from "./Judge.ts"
import type { Observation } from "./Outcome.ts"
import { plattCurve } from "./Platt.ts"

/** Below this many values a group has no curve of its own. */
const fewest = { document: 50, type: 150 }

/** A type of field differs from the others only where enough of its values were wrong. */
const fewestWrong = 10

/** Isotonic regression follows chance where there are fewer values (Niculescu-Mizil and Caruana 2005 name 1,000). */
const fewestIsotonic = 300

const methods = { platt: plattCurve, isotonic: isotonicCurve }

/** The confidences that values get from curves fitted without their documents. */
const crossJudged = (
  observations: ReadonlyArray<Observation>,
  fitOn: (others: ReadonlyArray<Observation>) => (observation: Observation) => number
): ReadonlyArray<Judged> =>
  folds(observations).flatMap(({ held, rest }) => {
    const confidence = fitOn(rest)
    return held.map((observation) => ({ confidence: confidence(observation), right: observation.right }))
  })

const lossOf = (method: (outcomes: ReadonlyArray<Observation>) => Curve, all: ReadonlyArray<Observation>) =>
  logLoss(
    crossJudged(all, (others) => {
      const curve = method(others)
      return ({ score }) => confidenceAt(curve, score)
    })
  )

/** Of the two methods the one that does better on documents that it was not fitted on. */
const methodFor = (observations: ReadonlyArray<Observation>): keyof typeof methods =>
  observations.length >= fewestIsotonic &&
  lossOf(isotonicCurve, observations) < lossOf(plattCurve, observations)
    ? "isotonic"
    : "platt"

const fitGroup = (of: FittedCurve["of"], observations: ReadonlyArray<Observation>): FittedCurve => {
  const method = methodFor(observations)
  return {
    of,
    method,
    values: observations.length,
    wrong: observations.filter(({ right }) => !right).length,
    points: roundedCurve(methods[method](observations))
  }
}

const groupsBy = <K extends keyof Scored>(observations: ReadonlyArray<Observation>, key: K) => [
  ...Map.groupBy(observations, ({ of }) => of[key])
]

/** The curve of a group, if it has enough values and errors for one of its own. */
const fitWhere = (
  of: FittedCurve["of"],
  observations: ReadonlyArray<Observation>,
  values: number,
  wrong: number
): ReadonlyArray<FittedCurve> =>
  observations.length >= values && observations.filter(({ right }) => !right).length >= wrong
    ? [fitGroup(of, observations)]
    : []

/**
 * The curves of all groups that have enough values: for each source of values all together, then by kind of document, then by
 * type of field.
 */
export const fitCurves = (observations: ReadonlyArray<Observation>): ReadonlyArray<FittedCurve> => {
  const curves: Array<FittedCurve> = []
  for (const [by, ofSource] of groupsBy(observations, "by")) {
    curves.push(fitGroup({ by }, ofSource))
    for (const [document, ofKind] of groupsBy(ofSource, "document")) {
      curves.push(...fitWhere({ by, document }, ofKind, fewest.document, 0))
      for (const [type, ofType] of groupsBy(ofKind, "type"))
        curves.push(...fitWhere({ by, document, type }, ofType, fewest.type, fewestWrong))
    }
  }
  return curves
}

/** What the calibrated confidences are worth on documents that the curves were not fitted on, by cross-validation. */
export const crossValidated = (observations: ReadonlyArray<Observation>): ReadonlyArray<Judged> =>
  crossJudged(observations, (others) => {
    const curves = fitCurves(others)
    return ({ of, score }) => lookUp(curves, score, of)
  })
