import { describe, expect, it } from "vitest"
import { areaUnderCurve, brierScore } from "../../src/services/test-sets/Reliability.ts"

const of = (confidence: number, right: boolean) => ({ confidence, right })

describe("the quality of confidences", () => {
  it("is the mean squared difference to the truth", () => {
    expect(brierScore([of(1, true), of(0, false)])).toBe(0)
    expect(brierScore([of(0.9, true), of(0.5, false)])).toBeCloseTo((0.01 + 0.25) / 2)
  })

  it("is the share of pairs in which the right value has the higher confidence", () => {
    expect(areaUnderCurve([of(0.9, true), of(0.8, true), of(0.3, false)])).toBe(1)
    expect(areaUnderCurve([of(0.2, true), of(0.8, false)])).toBe(0)
    expect(areaUnderCurve([of(0.5, true), of(0.5, false), of(0.9, true), of(0.7, false)])).toBe(0.625)
  })

  it("has no ranking without right and wrong values", () => {
    expect(areaUnderCurve([of(0.9, true), of(0.2, true)])).toBeUndefined()
  })
})
