import { Schema } from "effect"

/** The codes of the API that an execution can fail with; each step kind maps its errors to them. */
export const FailureCode = Schema.Literals([
  "EXECUTION_FAILED",
  "PROVIDER_ERROR",
  "EXECUTION_TIMEOUT",
  "VALIDATION_ERROR",
  "INVALID_DOCUMENT"
])
export type FailureCode = typeof FailureCode.Type
