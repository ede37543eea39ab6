import type { Scored } from "../../../dsl/model/Calibration.ts"
import { type Curve, type FittedCurve, lookUp, roundedCurve } from "./Curve.ts"
import { type Judged, logLoss } from "./Reliability.ts"
import { documentsOf, issuerOf, type Observation, type Outcome, succession } from "./Observation.ts"
import { plattCurve, plattCurveWithin, plattLine } from "./Platt.ts"
import { hash } from "node:crypto"

/** Neighbouring scores that share a confidence. */
interface Block {
  readonly from: number
  readonly to: number
  readonly outcomes: ReadonlyArray<Outcome>
}

const merged = (a: Block, b: Block): Block => ({
  from: a.from,
  to: b.to,
  outcomes: [...a.outcomes, ...b.outcomes]
})

/** Blocks in the order of their scores, joined until `share` never decreases. */
const pooled = (blocks: Iterable<Block>, share: (block: Block) => number): Array<Block> => {
  const stack: Array<Block> = []
  for (const next of blocks) {
    let block = next
    for (let last = stack.at(-1); last !== undefined && share(last) >= share(block); last = stack.at(-1)) {
      block = merged(last, block)
      stack.pop()
    }
    stack.push(block)
  }
  return stack
}

/** The share of right values in a block. */
export const shareOf = ({ outcomes }: Block): number =>
  outcomes.filter(({ right }) => right).length / outcomes.length

const smoothed = (block: Block): number => succession(shareOf(block), documentsOf(block.outcomes))

const byScore = (outcomes: ReadonlyArray<Outcome>): Array<Block> =>
  [...Map.groupBy(outcomes, ({ score }) => score)]
    .sort(([a], [b]) => a - b)
    .map(([score, same]) => ({ from: score, to: score, outcomes: same }))

/**
 * Isotonic regression by pooling adjacent violators (Ayer et al. 1955; for confidences: Zadrozny and Elkan 2002): the shares
 * of right values that never fall with the score and fit the outcomes best, by squared error and by likelihood alike.
 */
export const isotonicBlocks = (outcomes: ReadonlyArray<Outcome>): ReadonlyArray<Block> =>
  pooled(byScore(outcomes), shareOf)

/**
 * The curve of the isotonic regression, each block smoothed by the rule of succession and pooled again if that broke
 * the order: strictly between 0 and 1, and cautious for small numbers.
 */
export const isotonicCurve = (outcomes: ReadonlyArray<Outcome>): Curve =>
  pooled(isotonicBlocks(outcomes), smoothed).flatMap((block) => {
    const confidence = smoothed(block)
    return block.from === block.to
      ? [[block.from, confidence] as const]
      : [[block.from, confidence] as const, [block.to, confidence] as const]
  })

const odds = (share: number): number => Math.log(share / (1 - share))

/**
 * Moves curves from a test set to documents of which a smaller share of the values is right, by the rule for shifted
 * labels (Saerens, Latinne and Decaestecker 2002): the odds of all values change by the same factor. Never to a larger
 * share.
 *
 * @param accuracy the share of right values to expect, 0–1; undefined if the test set is like the documents to come
 */
const shifted = (
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

const most = 10

/** One part of the observations, and the others. */
interface Fold {
  readonly held: ReadonlyArray<Observation>
  readonly rest: ReadonlyArray<Observation>
}

/** Parts of the observations for cross-validation, up to ten: always the same ones, with no issuer in two of them. */
export const folds = (observations: ReadonlyArray<Observation>): ReadonlyArray<Fold> => {
  const issuers = [...new Set(observations.map(issuerOf))]
    .map((issuer) => ({ issuer, order: hash("sha256", issuer) }))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
  const count = Math.min(most, issuers.length)
  const partOf = new Map(issuers.map(({ issuer }, index) => [issuer, index % count]))
  return Array.from({ length: count }, (_, part) => ({
    held: observations.filter((one) => partOf.get(issuerOf(one)) === part),
    rest: observations.filter((one) => partOf.get(issuerOf(one)) !== part)
  }))
}

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
