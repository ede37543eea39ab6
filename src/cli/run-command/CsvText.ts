import { Predicate } from "effect"
import type { RunLine } from "./RunLine.ts"

/**
 * A cell of a CSV file. Spreadsheets run a string that begins with `=`, `+`, `-` or `@` as a formula, and documents
 * come from strangers, so such a string gets an apostrophe. Numbers are unchanged.
 */
const cell = (value: unknown): string => {
  if (value === null || value === undefined) return ""
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  const text = typeof value === "string" ? value : JSON.stringify(value)
  const harmless = /^[=+\-@\t\r]/u.test(text) && !/^-?\d+(?:\.\d+)?$/u.test(text) ? `'${text}` : text
  return /[",\r\n]/u.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

const valuesOf = ({ result }: RunLine): Readonly<Record<string, unknown>> =>
  Predicate.isObject(result.output) ? Object.fromEntries(Object.entries(result.output)) : {}

/** The runs of a flow as CSV (RFC 4180): a line for each document, a column for each field of the output. */
export const csvText = (lines: ReadonlyArray<RunLine>): string => {
  const fields = [...new Set(lines.flatMap((line) => Object.keys(valuesOf(line))))]
  const header = ["file", "status", "review", "error", ...fields].map(cell).join(",")
  const rows = lines.map((line) => {
    const values = valuesOf(line)
    const review = line.review.map(({ field }) => field).join(" ")
    return [
      line.file,
      line.result.status,
      review,
      line.result.error?.message,
      ...fields.map((name) => values[name])
    ]
      .map(cell)
      .join(",")
  })
  return [header, ...rows, ""].join("\r\n")
}
