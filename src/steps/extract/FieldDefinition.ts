import { Schema } from "effect"
import { isRegularExpression } from "./candidates/Patterns.ts"
import { presetNames } from "./presets/PresetNames.ts"

export const FieldType = Schema.Literals([
  "string",
  "identifier",
  "number",
  "integer",
  "boolean",
  "date",
  "money",
  "currency",
  "percent",
  "iban",
  "vatId",
  "email",
  "phone",
  "table"
])
export type FieldType = typeof FieldType.Type

const isPattern = Schema.makeFilter((text: string) => isRegularExpression(text), {
  expected: "a regular expression in RE2's syntax"
})

const Labels = Schema.Array(Schema.String)

/** A business term of EN 16931, such as BT-13. */
const Term = Schema.String.check(Schema.isPattern(/^BT-\d{1,3}$/u))

/** A column of a table field: its type alone, or with the headings it may have. */
export const ColumnDefinition = Schema.Union([
  Schema.Literals(["string", "identifier", "number", "integer", "date", "money"]),
  Schema.Struct({
    type: Schema.Literals(["string", "identifier", "number", "integer", "date", "money"]),
    labels: Schema.optionalKey(Labels),
    term: Schema.optionalKey(Term)
  })
])
export type ColumnDefinition = typeof ColumnDefinition.Type

const Fraction = Schema.Number.check(Schema.isBetween({ minimum: 0, maximum: 1 }))

/** Where a value stands, seen from its label. */
export const Position = Schema.Literals(["right", "below", "above", "row"])
export type Position = typeof Position.Type

/** A part of a page: a name, or its edges as fractions of the page from the top left corner. */
export const Region = Schema.Union([
  Schema.Literals(["top", "bottom", "left", "right", "top-left", "top-right", "bottom-left", "bottom-right"]),
  Schema.Struct({ left: Fraction, top: Fraction, right: Fraction, bottom: Fraction })
])
export type Region = typeof Region.Type

/** One field to extract, as a flow writes it. */
export const FieldDefinition = Schema.Struct({
  type: Schema.optionalKey(FieldType).annotate({
    description: "The type of the value; a preset brings its own."
  }),
  preset: Schema.optionalKey(Schema.Literals(presetNames)).annotate({
    description: "A field that docflow knows, such as invoice.totalAmount: its type, labels and rules."
  }),
  term: Schema.optionalKey(Term).annotate({
    description:
      "The business term of EN 16931 that invoice data inside the document holds the value in, such as BT-13; a preset knows its own."
  }),
  required: Schema.optionalKey(Schema.Boolean).annotate({
    description: "The value's type then has no null. A missing value does not fail the step."
  }),
  description: Schema.optionalKey(Schema.String),
  grounded: Schema.optionalKey(Schema.Boolean).annotate({
    description:
      "Whether a value must stand in the document. One that stands nowhere is then missing, with a warning."
  }),
  labels: Schema.optionalKey(Labels).annotate({
    description:
      "What stands beside or above the value, in any language; the best first. `*` stands for a number: one to three words with a digit."
  }),
  not: Schema.optionalKey(Labels).annotate({
    description: "Labels that contain one of `labels` but mean something else."
  }),
  position: Schema.optionalKey(Schema.Union([Position, Schema.Array(Position)])).annotate({
    description:
      "Where the value stands, seen from its label; `row`: on either side. Right and below where it is left out."
  }),
  region: Schema.optionalKey(Region).annotate({
    description:
      "The part of a page that the value stands in: `top-right` (halves of the page), or its edges as fractions from the top left corner."
  }),
  occurrence: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThan(0))).annotate({
    description:
      "The how-manieth to take where the label, or the pattern, stands several times; 1 is the first."
  }),
  pattern: Schema.optionalKey(Schema.String.check(isPattern)).annotate({
    description:
      "A regular expression (RE2) that the value matches; its first group is the value, or else the whole match."
  }),
  pick: Schema.optionalKey(Schema.Literals(["best", "first", "last", "largest"])).annotate({
    description: "Which one to take where several fit."
  }),
  columns: Schema.optionalKey(Schema.Record(Schema.String, ColumnDefinition)).annotate({
    description: "The columns of a table."
  })
})
export type FieldDefinition = typeof FieldDefinition.Type
