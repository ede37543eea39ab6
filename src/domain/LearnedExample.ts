import { Schema } from "effect"
import { Box } from "./DocumentIR.ts"

/** A printed word that all documents of a layout share, and its position, in points. */
export const LayoutWord = Schema.Struct({ text: Schema.String, x: Schema.Finite, y: Schema.Finite })
export type LayoutWord = typeof LayoutWord.Type

/**
 * A field of a document that a person checked: its value, its place, and the nearby words from which it is found again.
 */
export const LearnedField = Schema.Struct({
  value: Schema.Unknown,
  text: Schema.String,
  page: Schema.Int,
  bbox: Box,
  anchors: Schema.Array(LayoutWord),
  /** The words right before and after it, if any. */
  before: Schema.optionalKey(Schema.String),
  after: Schema.optionalKey(Schema.String),
  /** Whether a person provided the value, because the extracted one was wrong or missing. */
  corrected: Schema.optionalKey(Schema.Boolean)
})
export type LearnedField = typeof LearnedField.Type

/** A document that a person checked, from which later ones of its layout are read. */
export const LearnedExample = Schema.Struct({
  id: Schema.String,
  words: Schema.Array(LayoutWord),
  fields: Schema.Record(Schema.String, LearnedField)
})
export type LearnedExample = typeof LearnedExample.Type
