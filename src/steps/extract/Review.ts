import { Schema } from "effect"
import { pointerTo } from "../../support/JsonPointer.ts"
import type { Field } from "../../extraction/lexicon/Field.ts"
import type { Found } from "./ExtractSource.ts"
import { parseEquation } from "../../extraction/sums/Equation.ts"

/** A field that needs review. */
export const ReviewItem = Schema.Struct({
  field: Schema.String,
  path: Schema.String.annotate({ description: "JSON Pointer of the value in `values`." }),
  reason: Schema.String.annotate({ description: "Why, in a sentence." }),
  confidence: Schema.Finite
})
export type ReviewItem = typeof ReviewItem.Type

/** The default confidence below which a field is listed. */
export const reviewedBelow = 0.8

/** Further facts about the fields, in addition to their evidence. */
export interface ReviewContext {
  readonly below: number
  readonly relations: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<string>
  /** Why values that rules found are in doubt, by field. */
  readonly reasons?: ReadonlyMap<string, string>
}

/** The warning about a violated relation of a field. */
const brokenRelation = (name: string, { relations, warnings }: ReviewContext): string | undefined =>
  relations
    .filter((relation) => parseEquation(relation)?.terms.some(({ field }) => field === name))
    .flatMap((relation) => warnings.filter((warning) => warning.startsWith(`${relation} does not hold`)))[0]

/**
 * The fields that need review, in the order of the flow: values that were not found although they are required, every document
 * of the kind has one or a label of them is printed, and values whose confidence is below a limit, each with the most
 * specific reason that is known.
 */
export const reviewOf = (
  fields: ReadonlyArray<Field>,
  found: Found,
  context: ReviewContext
): ReadonlyArray<ReviewItem> =>
  fields.flatMap(({ expected: isExpected, name }): ReadonlyArray<ReviewItem> => {
    const evidence = found[name]
    const item = { field: name, path: pointerTo("", name) }
    const known = context.reasons?.get(name)
    if (evidence === undefined || evidence.status === "missing")
      return isExpected || known !== undefined
        ? [{ ...item, reason: known ?? "No value was found.", confidence: 0 }]
        : []
    const { by, confidence, doubts = [], status } = evidence
    if (confidence >= context.below) return []
    const [doubt] = doubts
    const reason =
      brokenRelation(name, context) ??
      doubt ??
      (by === "rules" ? known : undefined) ??
      (status === "inferred"
        ? "The value is not printed in the document: it follows from other values."
        : "Not enough in the document supports the value.")
    return [{ ...item, reason, confidence }]
  })
