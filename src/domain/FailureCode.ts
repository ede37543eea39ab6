import { Schema } from "effect"

/** The codes of the API that an execution can fail with; a step kind says which of its errors means which. */
export const FailureCode = Schema.Literals([
  "EXECUTION_FAILED",
  "PROVIDER_ERROR",
  "EXECUTION_TIMEOUT",
  "VALIDATION_ERROR",
  "INVALID_DOCUMENT"
])
export type FailureCode = typeof FailureCode.Type
