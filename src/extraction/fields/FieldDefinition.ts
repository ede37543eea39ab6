import { Result, Schema } from "effect"
import { RE2JS } from "re2js"
import { presetNames } from "./PresetNames.ts"

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

const isPattern = Schema.makeFilter(
  (text: string) => Result.isSuccess(Result.try(() => RE2JS.compile(text))),
  { expected: "a regular expression in RE2's syntax" }
)

const Labels = Schema.Array(Schema.String)

/** A business term of EN 16931, such as BT-13. */
const Term = Schema.String.check(Schema.isPattern(/^BT-\d{1,3}$/u))

const ColumnType = Schema.Literals(["string", "identifier", "number", "integer", "date", "money"])

/** A column of a table field: its type alone, or with the headings it may have. */
export const ColumnDefinition = Schema.Union([
  ColumnType,
  Schema.Struct({
    type: ColumnType.annotate({ description: "Type of the values." }),
    labels: Schema.optionalKey(Labels).annotate({
      description:
        "Headings of the column, in any language, the most reliable first. Its name is one of them."
    }),
    term: Schema.optionalKey(Term).annotate({
      description:
        "Business term of EN 16931 to read from the lines of embedded invoice data, such as BT-131."
    })
  })
])
export type ColumnDefinition = typeof ColumnDefinition.Type

const edge = (description: string) =>
  Schema.Finite.annotate({ description }).check(Schema.isBetween({ minimum: 0, maximum: 1 }))

/** The position of a value relative to its label. */
export const Position = Schema.Literals(["right", "below", "above", "row"])
export type Position = typeof Position.Type

/** A part of a page: a name, or its edges as fractions of the page from the top left corner. */
export const Region = Schema.Union([
  Schema.Literals(["top", "bottom", "left", "right", "top-left", "top-right", "bottom-left", "bottom-right"]),
  Schema.Struct({
    left: edge("Left edge, as a fraction of the width of the page: 0–1."),
    top: edge("Top edge, as a fraction of the height of the page: 0–1."),
    right: edge("Right edge, as a fraction of the width."),
    bottom: edge("Bottom edge, as a fraction of the height.")
  })
])
export type Region = typeof Region.Type

/** One field to extract, as written in a flow. */
export const FieldDefinition = Schema.Struct({
  type: Schema.optionalKey(FieldType).annotate({
    description: "Type of the value. Default: the type of the preset, otherwise `string`."
  }),
  preset: Schema.optionalKey(Schema.Literals(presetNames)).annotate({
    description: "A field that docflow knows, such as `invoice.totalAmount`, with its type, labels and rules."
  }),
  term: Schema.optionalKey(Term).annotate({
    description:
      "Business term of EN 16931 to read from embedded invoice data, such as BT-13. Default: the term of the preset."
  }),
  required: Schema.optionalKey(Schema.Boolean).annotate({
    description:
      "Whether the type of the value excludes null. A missing value does not fail the step, but is listed in `review`. Default: false; of presets that every document of the kind has, such as `invoice.totalAmount`, a missing value is listed unless this is `false`."
  }),
  description: Schema.optionalKey(
    Schema.String.annotate({ description: "Description of the field for a model, in one sentence." })
  ),
  grounded: Schema.optionalKey(Schema.Boolean).annotate({
    description:
      "Whether the value must appear in the document. If it does not, the field is missing, with a warning. Default: false."
  }),
  labels: Schema.optionalKey(Labels).annotate({
    description:
      "Labels printed next to or above the value, in any language, the most reliable first. `*` matches a number: one to three words with a digit."
  }),
  not: Schema.optionalKey(Labels).annotate({
    description: "Labels that contain one of `labels` but mean something else."
  }),
  position: Schema.optionalKey(Schema.Union([Position, Schema.Array(Position)])).annotate({
    description:
      "Position of the value relative to its label; `row` means on either side. Default: right and below."
  }),
  region: Schema.optionalKey(Region).annotate({
    description:
      "Part of the page to search: `top-right` and the like (halves of the page), or edges as fractions from the top left corner."
  }),
  occurrence: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThan(0))).annotate({
    description: "Which occurrence of the label or pattern to use, counted from 1."
  }),
  pattern: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "Regular expression (RE2) for the value. The value is its first group, or the whole match if it has no group."
    }).check(isPattern)
  ),
  pick: Schema.optionalKey(Schema.Literals(["best", "first", "last", "largest"])).annotate({
    description: "Which value to choose if several match. Default: best."
  }),
  columns: Schema.optionalKey(Schema.Record(Schema.String, ColumnDefinition)).annotate({
    description: "Columns of a table."
  })
})
export type FieldDefinition = typeof FieldDefinition.Type
