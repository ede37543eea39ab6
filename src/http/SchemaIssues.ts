import { SchemaIssue } from "effect"
import type { ErrorDetails } from "../domain/Errors.ts"

/** The reason of a field that is missing. */
const required = "required"

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => (issue._tag === "MissingKey" ? required : SchemaIssue.defaultLeafHook(issue))
})
const longestReason = 200

/** How people call what a schema expects. */
const words: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  boolean: "a boolean",
  array: "an array",
  object: "an object",
  "a string representing a finite number": "a number"
}

/** Says what a value must be, instead of what a schema expected. */
const worded = (message: string): string => {
  const expected = /^Expected (.*)$/su.exec(message)?.[1]
  if (expected === undefined) return message
  if (expected.startsWith('"')) return `must be one of ${expected.replaceAll(" | ", ", ")}`
  if (expected.startsWith("a value with ")) return expected.replace("a value with ", "must have ")
  const range = expected
    .replace(/^a value (?=between|greater|less)/u, "")
    .replace("greater than or equal to", "at least")
    .replace("less than or equal to", "at most")
  // The name of a schema of the API.
  if (/^[A-Z]\w*$/u.test(expected)) return "must be an object"
  return `must be ${words[expected] ?? range.replace("code points", "characters")}`
}

/** Describes the first position where data does not match its schema. */
export const describeIssue = (
  issue: SchemaIssue.Issue
): { readonly message: string; readonly details: ErrorDetails } => {
  const [first] = format(issue).issues
  const field = (first?.path ?? [])
    .map((step) => String(typeof step === "object" ? step.key : step))
    .join(".")
  const reason = worded(first?.message ?? "not valid").slice(0, longestReason)
  if (field === "") return { message: `Invalid request: ${reason}`, details: { reason } }
  const message = reason === required ? `${field} is required` : `Invalid ${field}: ${reason}`
  return { message, details: { field, reason } }
}

/** Whether an issue is that a field is missing. */
export const isMissing = ({ details }: ReturnType<typeof describeIssue>): boolean =>
  details["reason"] === required
