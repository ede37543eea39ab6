import { Schema } from "effect"
import type { RunResult } from "./LocalRuns.ts"

const FieldToReview = Schema.Struct({
  field: Schema.String,
  path: Schema.optionalKey(Schema.String),
  reason: Schema.String,
  confidence: Schema.Finite
})

/** A field that needs review, and why. */
export type FieldToReview = typeof FieldToReview.Type

const isReviewed = Schema.is(Schema.Struct({ review: Schema.Array(FieldToReview) }))

/** The fields of a run that need review, as its `extract` steps list them. */
export const fieldsToReview = ({ artifacts }: Pick<RunResult, "artifacts">): ReadonlyArray<FieldToReview> =>
  Object.values(artifacts).flatMap((artifact) => (isReviewed(artifact) ? artifact.review : []))
