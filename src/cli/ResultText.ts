import { Predicate } from "effect"
import type { CellEvidence, FieldEvidence } from "../domain/Evidence.ts"
import type { FieldToReview } from "../services/local-runs/LocalRuns.ts"
import { textTable } from "./Terminal.ts"

type Evidence = { readonly [name: string]: FieldEvidence }

const mostDecimals = 4
const digitsOf = (text: string): string => text.replace(/\D/gu, "").replace(/^0+/u, "")

/** How many decimals a number is printed with: as many as give the digits of its text. */
const decimalsIn = (value: number, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  const digits = digitsOf(text)
  const decimals = Array.from({ length: mostDecimals + 1 }, (_, count) => count)
  return decimals.find(
    (count) => Number(value.toFixed(count)) === value && digitsOf(value.toFixed(count)) === digits
  )
}

const fixed = (value: unknown, decimals: number | undefined): unknown =>
  typeof value === "number" && decimals !== undefined ? value.toFixed(decimals) : value

const asInText = (value: unknown, text: string | undefined): unknown =>
  typeof value === "number" ? fixed(value, decimalsIn(value, text)) : value

const rowAsPrinted = (row: unknown, cells: Readonly<Record<string, CellEvidence>> = {}): unknown =>
  Predicate.isObject(row) && !Array.isArray(row)
    ? Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, asInText(value, cells[name]?.text)])
      )
    : row

/** A number that follows from others has as many decimals as any of them, if that changes nothing of it. */
const likeOthers = (value: unknown, decimals: number): unknown =>
  typeof value === "number" && Number(value.toFixed(decimals)) === value ? value.toFixed(decimals) : value

/** An output whose numbers have the decimals they are printed with in the document: `10350.00` for `10.350,00 €`. */
const withPrintedNumbers = (output: object, fields: Evidence): object => {
  const most = Math.max(
    0,
    ...Object.values(fields).map(({ text, value }) =>
      typeof value === "number" ? (decimalsIn(value, text) ?? 0) : 0
    )
  )
  return Object.fromEntries(
    Object.entries(output).map(([name, value]): [string, unknown] => {
      const evidence = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (Array.isArray(value))
        return [name, value.map((row: unknown, index) => rowAsPrinted(row, evidence?.cells?.[index]))]
      return [
        name,
        evidence?.status === "inferred" ? likeOthers(value, most) : asInText(value, evidence?.text)
      ]
    })
  )
}

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
