import { SchemaIssue } from "effect"
import type { ErrorDetails } from "../domain/Errors.ts"

/** The reason of a field that is missing. */
const required = "required"

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => (issue._tag === "MissingKey" ? required : SchemaIssue.defaultLeafHook(issue))
})
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
  if (field === "") return { message: `Invalid request: ${reason}`, details: { reason } }
  const message = reason === required ? `${field} is required` : `Invalid ${field}: ${reason}`
  return { message, details: { field, reason } }
}

/** Whether an issue is that a field is missing. */
export const isMissing = ({ details }: ReturnType<typeof describeIssue>): boolean =>
  details["reason"] === required
