import { Schema } from "effect"
import { Box } from "./DocumentIR.ts"

/**
 * Where a value was found. `grounded`: it stands on the page, at `page` and `bbox`, or in invoice data, at `path`, or in
 * both; `inferred`: a model or a rule says so but it stands nowhere; `missing`: there is no value.
 */
export const FieldEvidence = Schema.Struct({
  value: Schema.Unknown,
  /** How sure we are, 0–1. */
  confidence: Schema.Finite,
  /** What the confidence was made of, 0–1, where the flow's calibration was applied to it. */
  score: Schema.optionalKey(Schema.Finite),
  status: Schema.Literals(["grounded", "inferred", "missing"]),
  page: Schema.optionalKey(Schema.Int),
  bbox: Schema.optionalKey(Box),
  /** The text of the document that the value was read from. */
  text: Schema.optionalKey(Schema.String),
  /** The file inside the document that holds the value; absent where the document itself is invoice data. */
  attachment: Schema.optionalKey(Schema.String),
  /** Where the value stands in invoice data: elements by their local names, `[n]` where several have the same name. */
  path: Schema.optionalKey(Schema.String),
  by: Schema.optionalKey(Schema.Literals(["rules", "llm", "embedded"]))
})
export type FieldEvidence = typeof FieldEvidence.Type
