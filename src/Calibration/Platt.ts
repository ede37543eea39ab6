import type { Curve } from "./Curve.ts"
import type { Outcome } from "./Outcome.ts"

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))

const logit = (score: number): number => {
  const inside = clamp(score, 0.005, 0.995)
  return Math.log(inside / (1 - inside))
}

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x))

interface Line {
  readonly slope: number
  readonly offset: number
}

/** How much a slope of 1 is believed before any value was seen: keeps few points from making a step of the curve. */
const belief = 1

const mostRounds = 100

/** Newton's method with halved steps on the penalised likelihood of targets that are smoothed as Platt does. */
const fitLine = (points: ReadonlyArray<{ readonly x: number; readonly target: number }>): Line => {
  const loss = ({ offset, slope }: Line): number =>
    points.reduce(
      (sum, { target, x }) => {
        const z = slope * x + offset
        return sum + Math.max(z, 0) - target * z + Math.log1p(Math.exp(-Math.abs(z)))
      },
      (belief / 2) * (slope - 1) ** 2
    )
  let line: Line = { slope: 1, offset: 0 }
  for (let round = 0; round < mostRounds; round++) {
    let [gs, go, ss, so, oo] = [belief * (line.slope - 1), 0, belief, 0, 1e-9]
    for (const { target, x } of points) {
      const p = sigmoid(line.slope * x + line.offset)
      const w = p * (1 - p)
      gs += (p - target) * x
      go += p - target
      ss += w * x * x
      so += w * x
      oo += w
    }
    const determinant = ss * oo - so * so
    const [ds, dO] = [(oo * gs - so * go) / determinant, (ss * go - so * gs) / determinant]
    const now = loss(line)
    let step = 1
    let next = { slope: line.slope - ds, offset: line.offset - dO }
    while (step > 1e-6 && loss(next) > now) {
      step /= 2
      next = { slope: line.slope - step * ds, offset: line.offset - step * dO }
    }
    if (now - loss(next) < 1e-10) return line
    line = next
  }
  return line
}

const scores = Array.from({ length: 41 }, (_, index) => index / 40)

/**
 * Platt scaling (Platt 1999, with the targets of his section 2.2, solved as Lin, Lin and Weng 2007): a logistic curve over the
 * score's logit, for few points. A slope below 0 would turn the order round and is taken as 0.
 */
export const plattCurve = (outcomes: ReadonlyArray<Outcome>): Curve => {
  const right = outcomes.filter((outcome) => outcome.right).length
  const wrong = outcomes.length - right
  const [high, low] = [(right + 1) / (right + 2), 1 / (wrong + 2)]
  const line = fitLine(
    outcomes.map((outcome) => ({ x: logit(outcome.score), target: outcome.right ? high : low }))
  )
  const slope = Math.max(0, line.slope)
  const most = (outcomes.length + 1) / (outcomes.length + 2)
  const level = (right + 1) / (outcomes.length + 2)
  return scores.map((score) => [
    score,
    slope === 0 ? level : clamp(sigmoid(slope * logit(score) + line.offset), 1 - most, most)
  ])
}
