import { Schema } from "effect"
import type { Scored } from "../../../dsl/model/Calibration.ts"

const Share = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))

/** A curve, and what it was fitted on. */
export const FittedCurve = Schema.Struct({
  /** The values to which it applies: of one source and, if they differ, of one kind of document and one type. */
  of: Schema.Struct({
    by: Schema.String,
    document: Schema.optionalKey(Schema.Literals(["born-digital", "scanned"])),
    type: Schema.optionalKey(Schema.String)
  }),
  method: Schema.Literals(["platt", "isotonic"]),
  values: Schema.Int,
  wrong: Schema.Int,
  points: Schema.Array(Schema.Tuple([Share, Share])).check(
    Schema.makeFilter((points) => isCurve(points), {
      expected: "points in the order of their scores, whose confidences never fall"
    })
  )
})
export type FittedCurve = typeof FittedCurve.Type

/**
 * The confidence of a score, by the most specific curve. For a kind of document without its own curve, the common curve
 * may lower the confidence but not raise it. The score of a source without curves is unchanged.
 */
export const lookUp = (curves: ReadonlyArray<FittedCurve>, score: number, of: Scored): number => {
  const ofSource = curves.filter((curve) => curve.of.by === of.by)
  const ofKind = ofSource.filter((curve) => curve.of.document === of.document)
  const exact =
    ofKind.find((curve) => curve.of.type === of.type) ?? ofKind.find((curve) => curve.of.type === undefined)
  if (exact !== undefined) return confidenceAt(exact.points, score)
  const common = ofSource.find((curve) => curve.of.document === undefined)
  return common === undefined ? score : Math.min(score, confidenceAt(common.points, score))
}

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
