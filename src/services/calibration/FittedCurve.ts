import { Schema } from "effect"
import type { Scored } from "../../../dsl/model/Calibration.ts"
import { confidenceAt, isCurve } from "./Curve.ts"

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
