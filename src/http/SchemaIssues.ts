import { SchemaIssue } from "effect"
import type { ErrorDetails } from "../domain/Errors.ts"

const format = SchemaIssue.makeFormatterStandardSchemaV1()
const longestReason = 200

/** Describes the first position where data does not match its schema. */
export const describeIssue = (
  issue: SchemaIssue.Issue,
  prefix: ReadonlyArray<string> = []
): { readonly message: string; readonly details: ErrorDetails } => {
  const [first] = format(issue).issues
  const steps = (first?.path ?? []).map((step) => String(typeof step === "object" ? step.key : step))
  const field = [...prefix, ...steps].join(".")
  const reason = (first?.message ?? "not valid").slice(0, longestReason)
  return field === ""
    ? { message: `Invalid request: ${reason}`, details: { reason } }
    : { message: `Invalid ${field}: ${reason}`, details: { field, reason } }
}
