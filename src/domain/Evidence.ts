import { Schema } from "effect"
import { Box } from "./DocumentIR.ts"

/** The position and confidence of a cell of a table. */
export const CellEvidence = Schema.Struct({
  page: Schema.Int,
  bbox: Box,
  text: Schema.String,
  confidence: Schema.Finite
})
export type CellEvidence = typeof CellEvidence.Type

/** The confidence from which a value counts as sure, in overlays, in the dashboard and in every measurement. */
export const sureFrom = 0.9

/**
 * Where a value was found. `grounded`: it appears on the page, at `page` and `bbox`, or in invoice data, at `path`, or
 * in both; `inferred`: a model or a rule produced it, but it does not appear in the document; `missing`: there is no
 * value.
 */
export const FieldEvidence = Schema.Struct({
  value: Schema.Unknown,
  confidence: Schema.Finite.annotate({ description: "Confidence, 0–1." }),
  status: Schema.Literals(["grounded", "inferred", "missing"]),
  page: Schema.optionalKey(Schema.Int),
  bbox: Schema.optionalKey(Box),
  text: Schema.optionalKey(
    Schema.String.annotate({ description: "Text of the document that holds the value." })
  ),
  cells: Schema.optionalKey(
    Schema.Array(Schema.Record(Schema.String, CellEvidence)).annotate({
      description:
        "The cells of a table that rules read: for each row of `value`, in its order, the columns that have a value. No cell has a higher confidence than the table; the figures of a row that fails its arithmetic have one of 0.5 or less."
    })
  ),
  doubts: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({
      description: "What speaks against the value: sums and products that do not hold, with their numbers."
    })
  ),
  file: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "Attachment of the document that was sent, such as a file in a mail, if the value was read from it: `page` and `bbox` are places in that file."
    })
  ),
  attachment: Schema.optionalKey(
    Schema.String.annotate({
      description: "Embedded file that holds the value. Absent if the document itself is invoice data."
    })
  ),
  path: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "Path of the value in invoice data: local names of elements, with `[n]` if several have the same name."
    })
  ),
  by: Schema.optionalKey(Schema.Literals(["rules", "llm", "embedded", "examples"])),
  learnedFrom: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        example: Schema.String,
        executionId: Schema.NullOr(Schema.String),
        by: Schema.optionalKey(Schema.String)
      })
    ).annotate({
      description:
        "Checked documents that taught the value, the heaviest first: the example, the execution that was checked (null if imported), and who checked it."
    })
  )
})
export type FieldEvidence = typeof FieldEvidence.Type

/** Nothing was found. */
export const missing: FieldEvidence = { value: null, confidence: 0, status: "missing" }
