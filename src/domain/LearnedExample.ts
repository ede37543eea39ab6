import { Schema } from "effect"
import { Box } from "./DocumentIR.ts"

/** A printed word that all documents of a layout share, and its position, in points. */
export const LayoutWord = Schema.Struct({ text: Schema.String, x: Schema.Finite, y: Schema.Finite })
export type LayoutWord = typeof LayoutWord.Type

/** A place where a value is printed, and what is around it. */
const LearnedPlace = Schema.Struct({
  text: Schema.String,
  page: Schema.Int,
  bbox: Box,
  anchors: Schema.Array(LayoutWord),
  /** The words right before and after it, if any. */
  before: Schema.optionalKey(Schema.String),
  after: Schema.optionalKey(Schema.String)
})
export type LearnedPlace = typeof LearnedPlace.Type

/**
 * A field of a document that a person checked: its value, its place, and the nearby words from which it is found again. The
 * value is null if the document has none; then the place is that of the value that a person removed.
 */
export const LearnedField = Schema.Struct({
  value: Schema.Unknown,
  ...LearnedPlace.fields,
  /** Whether a person provided the value, or confirmed one that examples proposed; otherwise rules had found it. */
  corrected: Schema.optionalKey(Schema.Boolean),
  /** The person or key that corrected or accepted the value; absent if nobody looked at it. */
  by: Schema.optionalKey(Schema.String),
  /** The name or kind that was extracted instead, if a person corrected it. */
  instead: Schema.optionalKey(Schema.String),
  /** Set if the value has no place: its words are printed apart from each other, or nowhere. */
  unplaced: Schema.optionalKey(Schema.Literals(["apart", "nowhere"])),
  /** Other places of the same amount: which of them is meant shows only in a document in which they differ. */
  others: Schema.optionalKey(Schema.Array(LearnedPlace).check(Schema.isMaxLength(10)))
})
export type LearnedField = typeof LearnedField.Type

/** A document that a person checked, from which later ones of its layout are read. */
export const LearnedExample = Schema.Struct({
  id: Schema.String,
  /** The execution whose corrections taught it; null if it was imported. */
  executionId: Schema.NullOr(Schema.String),
  /** When it was learned, in milliseconds since 1970. */
  learnedAt: Schema.Finite,
  words: Schema.Array(LayoutWord),
  fields: Schema.Record(Schema.String, LearnedField)
})
export type LearnedExample = typeof LearnedExample.Type
