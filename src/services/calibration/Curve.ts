/** A score and its confidence, both 0–1. */
export type Point = readonly [score: number, confidence: number]

/** Points in the order of their scores, the confidences never falling; straight lines between them, level beyond them. */
export type Curve = ReadonlyArray<Point>

/** The confidence of a score. */
export const confidenceAt = (curve: Curve, score: number): number => {
  const after = curve.findIndex(([at]) => at >= score)
  const right = curve[after] ?? curve.at(-1)
  const left = after < 0 ? right : (curve[after - 1] ?? right)
  if (right === undefined || left === undefined) return score
  const width = right[0] - left[0]
  if (width <= 0) return right[1]
  // Rounding must not lift a confidence above that of a higher score.
  return Math.min(right[1], left[1] + ((right[1] - left[1]) * (score - left[0])) / width)
}

/** Whether points are a curve: between 0 and 1, and never falling. */
export const isCurve = (points: ReadonlyArray<Point>): boolean =>
  points.length > 0 &&
  points.every(([score, confidence], index) => {
    const [before, lower] = points[index - 1] ?? [0, 0]
    return score >= before && score <= 1 && confidence >= lower && confidence <= 1
  })

/** A share as stored: with four decimals. */
export const rounded = (share: number): number => Math.round(share * 10_000) / 10_000

/** A curve as stored. */
export const roundedCurve = (curve: Curve): Curve =>
  curve.map(([score, confidence]) => [rounded(score), rounded(confidence)])
