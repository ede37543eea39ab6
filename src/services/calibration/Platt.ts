import type { Curve } from "./Curve.ts"
import { documentsOf, type Outcome, succession } from "./Observation.ts"

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))

const logit = (score: number): number => {
  const inside = clamp(score, 0.005, 0.995)
  return Math.log(inside / (1 - inside))
}

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x))

/** A logistic curve over the logit of the score. */
export interface Line {
  readonly slope: number
  readonly offset: number
}

/** A prior: the expected line, and its strength as inverse variances of slope and offset. */
interface Belief extends Line {
  readonly ofSlope: number
  readonly ofOffset: number
}

/** The minimum number of wrong, and of right, values to learn how the scores separate them. */
const fewestToTell = 10

/**
 * The prior for scores, which are meant as confidences: a slope near 1, so that a few points do not turn the curve into
 * a step. If next to nothing is wrong, the slope stays 1 and only the level is fitted: a low score is not better
 * because no failure has been seen.
 */
const beliefInScores = (outcomes: ReadonlyArray<Outcome>): Belief => {
  const right = outcomes.filter((outcome) => outcome.right).length
  const tells = Math.min(right, outcomes.length - right) >= fewestToTell
  return { slope: 1, offset: 0, ofSlope: tells ? 1 : 1e6, ofOffset: 1e-6 }
}

/** The prior for the fields of one type: they differ from all others by about 0.7 in the logit. */
const beliefInAll = (line: Line): Belief => ({ ...line, ofSlope: 4, ofOffset: 2 })

interface Target {
  readonly x: number
  readonly target: number
}

/** Platt's targets in place of 0 and 1 (his section 2.2), with documents as trials. */
const targetsOf = (outcomes: ReadonlyArray<Outcome>): ReadonlyArray<Target> => {
  const documents = documentsOf(outcomes)
  const right = (documents * outcomes.filter((outcome) => outcome.right).length) / outcomes.length
  const [high, low] = [(right + 1) / (right + 2), 1 / (documents - right + 2)]
  return outcomes.map((outcome) => ({ x: logit(outcome.score), target: outcome.right ? high : low }))
}

const mostRounds = 100

/** The most likely line under a prior, by Newton's method with halved steps. */
const fitLine = (points: ReadonlyArray<Target>, belief: Belief): Line => {
  const loss = ({ offset, slope }: Line): number =>
    points.reduce(
      (sum, { target, x }) => {
        const z = slope * x + offset
        return sum + Math.max(z, 0) - target * z + Math.log1p(Math.exp(-Math.abs(z)))
      },
      (belief.ofSlope * (slope - belief.slope) ** 2 + belief.ofOffset * (offset - belief.offset) ** 2) / 2
    )
  let line: Line = belief
  for (let round = 0; round < mostRounds; round++) {
    let bySlope = belief.ofSlope * (line.slope - belief.slope)
    let byOffset = belief.ofOffset * (line.offset - belief.offset)
    let [slopes, both, offsets] = [belief.ofSlope, 0, belief.ofOffset]
    for (const { target, x } of points) {
      const p = sigmoid(line.slope * x + line.offset)
      const weight = p * (1 - p)
      bySlope += (p - target) * x
      byOffset += p - target
      slopes += weight * x * x
      both += weight * x
      offsets += weight
    }
    const determinant = slopes * offsets - both * both
    const slopeStep = (offsets * bySlope - both * byOffset) / determinant
    const offsetStep = (slopes * byOffset - both * bySlope) / determinant
    const now = loss(line)
    let part = 1
    const after = () => ({ slope: line.slope - part * slopeStep, offset: line.offset - part * offsetStep })
    while (part > 1e-6 && loss(after()) > now) part /= 2
    const next = after()
    if (now - loss(next) < 1e-10) return line
    line = next
  }
  return line
}

const scores = Array.from({ length: 21 }, (_, index) => index / 20)

/**
 * The curve of a line. A slope below 0 would reverse the order: then the score says nothing, and all values have the
 * same confidence.
 */
const curveOf = (line: Line, outcomes: ReadonlyArray<Outcome>): Curve => {
  const documents = documentsOf(outcomes)
  const most = succession(1, documents)
  const share = outcomes.filter(({ right }) => right).length / outcomes.length
  const level = succession(share, documents)
  return scores.map((score) => [
    score,
    line.slope <= 0 ? level : clamp(sigmoid(line.slope * logit(score) + line.offset), 1 - most, most)
  ])
}

/** The line of Platt scaling (Platt 1999; solved as Lin, Lin and Weng 2007), over the score's logit: for few points. */
export const plattLine = (outcomes: ReadonlyArray<Outcome>): Line =>
  fitLine(targetsOf(outcomes), beliefInScores(outcomes))

/** The curve of Platt scaling. */
export const plattCurve = (outcomes: ReadonlyArray<Outcome>): Curve => curveOf(plattLine(outcomes), outcomes)

/**
 * The curve of a part of the values, drawn towards the line of all of them where the part is small (partial pooling, Gelman
 * and Hill 2007).
 */
export const plattCurveWithin = (outcomes: ReadonlyArray<Outcome>, all: Line): Curve =>
  curveOf(fitLine(targetsOf(outcomes), beliefInAll(all)), outcomes)
