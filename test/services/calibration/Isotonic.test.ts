import * as fc from "../../support/FastCheck.ts"
import { describe, expect, it } from "vitest"
import { confidenceAt, type Curve, isCurve } from "../../../src/services/calibration/Curve.ts"
import { isotonicBlocks, isotonicCurve, shareOf } from "../../../src/services/calibration/FitCurves.ts"
import { logLoss } from "../../../src/services/calibration/Reliability.ts"
import type { Outcome } from "../../../src/services/calibration/Observation.ts"
import { plattCurve } from "../../../src/services/calibration/Platt.ts"

/** Outcomes with scores of two digits, as steps give them, from a few documents. */
const outcomes = fc.array(
  fc.record({
    score: fc.integer({ min: 1, max: 99 }).map((hundredths) => hundredths / 100),
    right: fc.boolean(),
    document: fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h")
  }),
  { minLength: 1, maxLength: 120 }
)

const grid = Array.from({ length: 101 }, (_, index) => index / 100)

const brier = (all: ReadonlyArray<Outcome>, confidence: (score: number) => number): number =>
  all.reduce((sum, { right, score }) => sum + (confidence(score) - (right ? 1 : 0)) ** 2, 0)

/** Twenty values that are right. */
const twenty = (documentOf: (index: number) => string): ReadonlyArray<Outcome> =>
  Array.from({ length: 20 }, (_, index) => ({
    score: 0.8 + index / 100,
    right: true,
    document: documentOf(index)
  }))

/** The curve of the regression itself, without smoothing. */
const unsmoothed = (all: ReadonlyArray<Outcome>): Curve =>
  isotonicBlocks(all).flatMap((block) => [
    [block.from, shareOf(block)] as const,
    [block.to, shareOf(block)] as const
  ])

describe.each([
  ["isotonic regression", isotonicCurve],
  ["Platt scaling", plattCurve]
])("%s", (_, curveOf) => {
  it("never falls with the score, and is never sure", () => {
    fc.assert(
      fc.property(outcomes, (all) => {
        const curve = curveOf(all)
        expect(isCurve(curve)).toBe(true)
        const confidences = grid.map((score) => confidenceAt(curve, score))
        for (const [index, confidence] of confidences.entries()) {
          expect(confidence).toBeGreaterThan(0)
          expect(confidence).toBeLessThan(1)
          expect(confidence).toBeGreaterThanOrEqual(confidences[index - 1] ?? 0)
        }
      })
    )
  })

  it("does not say more than the documents that it saw: 20 right of 20 are at most 21 of 22", () => {
    expect(confidenceAt(curveOf(twenty(String)), 1)).toBeLessThanOrEqual(21 / 22)
    expect(confidenceAt(curveOf(twenty(() => "the same")), 1)).toBeLessThanOrEqual(2 / 3)
  })
})

describe("pooling adjacent violators", () => {
  it("loses to no other order-keeping confidence on what it was fitted on, the scores themselves among them", () => {
    fc.assert(
      fc.property(outcomes, (all) => {
        const fitted = unsmoothed(all)
        expect(brier(all, (score) => confidenceAt(fitted, score))).toBeLessThanOrEqual(
          brier(all, (score) => score) + 1e-9
        )
      })
    )
  })

  it("keeps the likelihood of the outcomes at least as high as the scores do", () => {
    fc.assert(
      fc.property(outcomes, (all) => {
        const fitted = unsmoothed(all)
        const judged = (confidence: (score: number) => number) =>
          all.map(({ right, score }) => ({
            confidence: Math.min(1 - 1e-12, Math.max(1e-12, confidence(score))),
            right
          }))
        expect(logLoss(judged((score) => confidenceAt(fitted, score)))).toBeLessThanOrEqual(
          logLoss(judged((score) => score)) + 1e-6
        )
      })
    )
  })

  it("gives the textbook's answer", () => {
    const all = [true, false, true, false, false, true, true].map((right, index) => ({
      score: (index + 1) / 10,
      right,
      document: String(index)
    }))
    expect(isotonicBlocks(all).map((block) => [block.from, block.to, shareOf(block)])).toEqual([
      [0.1, 0.5, 0.4],
      [0.6, 0.7, 1]
    ])
  })
})
