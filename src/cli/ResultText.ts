import { Predicate } from "effect"
import type { FieldEvidence } from "../domain/Evidence.ts"
import type { FieldToReview } from "../services/local-runs/FieldsToReview.ts"
import { withPrintedNumbers } from "./PrintedNumbers.ts"
import { textTable } from "./TextTable.ts"

interface Shown {
  readonly status: "completed" | "failed"
  readonly error?: { readonly code: string; readonly message: string; readonly step?: string }
  readonly output?: unknown
  readonly fields?: { readonly [name: string]: FieldEvidence } | undefined
}

/** Formats a result for a terminal: each field of the output with its position, then what a person should check. */
export const describeResult = (
  file: string,
  result: Shown,
  review: ReadonlyArray<FieldToReview> = []
): string => {
  if (result.error !== undefined) {
    const where = result.error.step === undefined ? "" : ` in step ${result.error.step}`
    return `${file}: failed${where}: ${result.error.message} (${result.error.code})`
  }
  const fields = result.fields ?? {}
  const place = (name: string) => (Object.hasOwn(fields, name) ? placeText(fields[name]) : "")
  const output = Predicate.isObject(result.output)
    ? linesOf(withPrintedNumbers(result.output, fields), "  ", place)
    : []
  const remarks = review.map(({ field, reason }) => `  Review ${field}: ${reason}`)
  return [`${file}: ${result.status}`, ...output, ...remarks].join("\n")
}

/** A line for each member, with nested members below it; `place` says where a member was found. */
const linesOf = (
  value: object,
  indent: string,
  place: (name: string) => string = () => ""
): ReadonlyArray<string> => {
  const members = Object.entries(value)
  const width = Math.max(0, ...members.map(([name]) => name.length))
  return members.flatMap(([name, member]) => {
    const head = `${indent}${name.padEnd(width)}  ${headOf(member)}`.trimEnd()
    return [head + place(name)].concat(insideOf(member, `${indent}    `))
  })
}

/** The content of a member's own line; strings of several lines continue below it. */
const headOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.length === 0 ? "none" : String(value.length)
  if (Predicate.isObject(value)) return ""
  return typeof value === "string" && value.includes("\n") ? "" : plainText(value)
}

const insideOf = (value: unknown, indent: string): ReadonlyArray<string> => {
  if (Array.isArray(value)) {
    const rows = tableRows(value)
    if (rows !== undefined) return textTable(rows).map((line) => indent + line)
    return value.flatMap((element) => elementLines(element, indent))
  }
  if (Predicate.isObject(value)) return linesOf(value, indent)
  return typeof value === "string" && value.includes("\n")
    ? value.split("\n").map((line) => `${indent}${line}`.trimEnd())
    : []
}

/** The rows of a list that is a table: objects, below the names of their members, or lists of cells. */
const tableRows = (list: ReadonlyArray<unknown>): ReadonlyArray<ReadonlyArray<string>> | undefined => {
  if (list.length === 0) return undefined
  if (list.every((row) => Array.isArray(row) && row.every(isPlain)))
    return list.map((row) => (Array.isArray(row) ? row.map(plainText) : []))
  const rows = list.flatMap((row) =>
    Predicate.isObject(row) && !Array.isArray(row) && Object.values(row).every(isPlain)
      ? [Object.entries(row)]
      : []
  )
  if (rows.length < list.length) return undefined
  const names = [...new Set(rows.flatMap((row) => row.map(([name]) => name)))]
  return [names, ...rows.map((row) => names.map((name) => plainText(new Map(row).get(name))))]
}

/** The lines of an element that is not a row of a table. */
const elementLines = (element: unknown, indent: string): ReadonlyArray<string> => {
  if (isPlain(element)) return [`${indent}${plainText(element)}`]
  if (Array.isArray(element)) return insideOf(element, indent)
  const [first = "", ...rest] = insideOf(element, `${indent}  `)
  return [`${indent}- ${first.trimStart()}`, ...rest]
}

const isPlain = (value: unknown): boolean =>
  !Predicate.isObjectOrArray(value) && !String(value).includes("\n")

const plainText = (value: unknown): string =>
  value === null || value === undefined ? "–" : typeof value === "string" ? value : JSON.stringify(value)

/** Where a value was found; embedded data need not be on any page. */
const whereOf = ({ attachment, file, page }: FieldEvidence): string => {
  const place = page === undefined ? (attachment ?? "its data") : `page ${page}`
  return file === undefined ? place : `${file}, ${place}`
}

const percent = ({ confidence }: FieldEvidence): string => `${Math.round(confidence * 100)} %`

/** Rules infer only what other values prove; a model may have made it up. */
const followText = ({ by }: FieldEvidence): string =>
  by === "rules" ? "not printed: follows from other values" : "inferred: not found on the page"

const placeText = (evidence: FieldEvidence | undefined): string =>
  evidence?.status === "grounded"
    ? `   (${whereOf(evidence)}, ${percent(evidence)})`
    : evidence?.status === "inferred"
      ? `   (${followText(evidence)}, ${percent(evidence)})`
      : ""
