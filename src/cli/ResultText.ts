import { Predicate } from "effect"
import type { FieldEvidence } from "../domain/Evidence.ts"

interface Shown {
  readonly status: "completed" | "failed"
  readonly error?: { readonly code: string; readonly message: string; readonly step?: string }
  readonly output?: unknown
  readonly fields?: { readonly [name: string]: FieldEvidence }
}

/** A result as people read it: each field of the output, and where on the page it stands. */
export const describeResult = (file: string, result: Shown): string => {
  if (result.error !== undefined) {
    const where = result.error.step === undefined ? "" : ` in step ${result.error.step}`
    return `${file}: failed${where}: ${result.error.message} (${result.error.code})`
  }
  const output = Predicate.isObject(result.output) ? Object.entries(result.output) : []
  const width = Math.max(0, ...output.map(([name]) => name.length))
  const rows = output.map(([name, value]) => {
    const evidence = result.fields?.[name]
    return `  ${name.padEnd(width)}  ${valueText(value)}${evidence === undefined ? "" : placeText(evidence)}`
  })
  return [`${file}: ${result.status}`, ...rows].join("\n")
}

const valueText = (value: unknown): string => {
  if (value === null) return "–"
  if (Array.isArray(value))
    return [`${value.length} rows`, ...value.map((row) => `      ${rowText(row)}`)].join("\n")
  return typeof value === "string" ? value : JSON.stringify(value)
}

const rowText = (row: unknown): string =>
  Predicate.isObject(row)
    ? Object.values(row)
        .map((cell) => String(cell ?? "–"))
        .join(" | ")
    : String(row)

/** Data inside a document need not stand on any page. */
const whereOf = ({ attachment, page }: FieldEvidence): string =>
  page === undefined ? (attachment ?? "its data") : `page ${page}`

const placeText = (evidence: FieldEvidence): string =>
  evidence.status === "grounded"
    ? `   (${whereOf(evidence)}, ${Math.round(evidence.confidence * 100)} %)`
    : evidence.status === "inferred"
      ? "   (inferred: it stands nowhere on the page)"
      : ""
