import { Schema } from "effect"
import { Box } from "./DocumentIR.ts"

/** A printed word that stays the same from document to document of a layout, and where it is, in points. */
export const LayoutWord = Schema.Struct({ text: Schema.String, x: Schema.Finite, y: Schema.Finite })
export type LayoutWord = typeof LayoutWord.Type

/** A field of a document that a person checked: its value, its place, and the words near by from which it is found again. */
export const LearnedField = Schema.Struct({
  value: Schema.Unknown,
  text: Schema.String,
  page: Schema.Int,
  bbox: Box,
  anchors: Schema.Array(LayoutWord),
  /** The words set close to it on its left and right, if there are any. */
  before: Schema.optionalKey(Schema.String),
  after: Schema.optionalKey(Schema.String),
  /** Whether a person had to give the value, because what was extracted was wrong or missing. */
  corrected: Schema.optionalKey(Schema.Boolean)
})
export type LearnedField = typeof LearnedField.Type

/** A document that a person checked, by which the next ones of its layout are read. */
export const LearnedExample = Schema.Struct({
  id: Schema.String,
  words: Schema.Array(LayoutWord),
  fields: Schema.Record(Schema.String, LearnedField)
})
export type LearnedExample = typeof LearnedExample.Type
