import { Effect, Predicate } from "effect"
import type { CorrectedField, Correction } from "../../domain/Corrections.ts"
import { ValidationFailed } from "../../domain/Errors.ts"
import { namesOfPointer, pointerOf, pointerTo } from "../../support/JsonPointer.ts"
import {
  mostValues,
  type OutputCorrection,
  type SaveOutputCorrections
} from "../../domain/OutputCorrections.ts"
import type { StepRecord } from "../../engine/journal/StepRecord.ts"
import type { FieldPlace } from "../executions/OutputFields.ts"
import { cellsOf, extractedValue, isKnown, keyOf } from "./CorrectedRecords.ts"
import { afterTable, withTables } from "./CorrectedTables.ts"
import { type CorrectionPaths, correctionPaths } from "./CorrectionPaths.ts"

/** A correction, and its path in the request, for messages: `values.0`. */
export interface Asked {
  readonly correction: Correction
  readonly part: string
}

/** What paths refer to: the records as extracted, and `now`, with the tables corrected so far. */
interface Known {
  readonly paths: CorrectionPaths
  readonly records: ReadonlyArray<StepRecord>
  readonly now: ReadonlyArray<StepRecord>
}

type Expanded = Effect.Effect<ReadonlyArray<Asked>, ValidationFailed>

const invalid = (field: string, reason: string) =>
  new ValidationFailed({ message: `Invalid ${field}: ${reason}`, details: { field, reason } })

const tooMany = (field: string) =>
  invalid(field, `at most ${mostValues} values may be sent at once; each cell of a row counts`)

const rowCount = ({ length }: ReadonlyArray<unknown>): string => {
  if (length === 0) return "no rows"
  return length === 1 ? "only row 0" : `rows 0 to ${length - 1}`
}

/** Why a path has no place: it is not in its table, or nothing was extracted there. */
const reasonOf = ({ now, paths }: Known, path: string): string => {
  const names = namesOfPointer(pointerOf(path))
  const shown = path.slice(0, 200)
  for (const depth of [1, 2].filter((levels) => levels < names.length)) {
    const table = names.slice(0, -depth).reduce(pointerTo, "")
    const place = paths.placeOf(table, now)
    const rows = place === undefined ? undefined : extractedValue(now, place)
    if (Array.isArray(rows))
      return (
        `there is no "${shown}", because the table "${table.slice(0, 200)}" has ${rowCount(rows)}; ` +
        "send the path of one of its rows or cells, or correct the whole table"
      )
  }
  return `no step extracted a value for "${shown}"; send the path of a value in the output`
}

const isRow = ({ column, row }: FieldPlace): boolean => row !== undefined && column === undefined

/** The corrections of a row, cell by cell. */
const ofRow = ({ now, records }: Known, row: FieldPlace, part: string, value: unknown): Expanded => {
  if (!Predicate.isObject(value)) return invalid(`${part}.value`, "a row is an object of its cells")
  const other = Object.keys(value).find((column) => !isKnown(records, { ...row, column }, now))
  if (other !== undefined) return invalid(`${part}.value.${other}`, "the table has no such column")
  return Effect.succeed(
    Object.entries(value).map(([column, cell]) => ({ part, correction: { ...row, column, value: cell } }))
  )
}

const ofValue = (known: Known, { path, ...how }: OutputCorrection, part: string): Expanded => {
  const place = known.paths.placeOf(path, known.now)
  if (place === undefined) return invalid(`${part}.path`, reasonOf(known, path))
  if (how.value === undefined && (how.page === undefined || how.bbox === undefined))
    return invalid(`${part}.value`, "is required, unless page and bbox are sent")
  return isRow(place)
    ? ofRow(known, place, part, how.value)
    : Effect.succeed([{ part, correction: { ...place, ...how } }])
}

const ofConfirmed = (known: Known, path: string, part: string): Expanded => {
  const place = known.paths.placeOf(path, known.now)
  if (place === undefined) return invalid(part, reasonOf(known, path))
  const columns = isRow(place) ? Object.keys(cellsOf(known.now, place) ?? {}) : undefined
  return Effect.succeed(
    columns === undefined
      ? [{ part, correction: place }]
      : columns.map((column) => ({ part, correction: { ...place, column } }))
  )
}

/** The fields and cells that a request reverts, by their paths; a row is all its cells. */
export const revertedOf = Effect.fnUntraced(function* (
  output: unknown,
  records: ReadonlyArray<StepRecord>,
  saved: ReadonlyArray<CorrectedField>,
  { reverted = [] }: SaveOutputCorrections
) {
  const known = { paths: correctionPaths(output, records), records, now: withTables(records, saved) }
  const all = yield* Effect.forEach(reverted, (path, at) => ofConfirmed(known, path, `reverted.${at}`))
  const targets = all.flat().map(({ correction }) => correction)
  return targets.length > mostValues ? yield* tooMany("reverted") : targets
})

/**
 * Converts a request by paths into corrections; `saved` are those that were saved before. ValidationFailed names the part
 * of the request that is wrong.
 */
export const askedOf = Effect.fnUntraced(function* (
  output: unknown,
  records: ReadonlyArray<StepRecord>,
  saved: ReadonlyArray<CorrectedField>,
  { confirmed = [], values = [] }: SaveOutputCorrections
) {
  const paths = correctionPaths(output, records)
  let now = withTables(records, saved)
  const corrected: Array<Asked> = []
  const accepted: Array<Asked> = []
  for (const [at, value] of values.entries()) {
    const asked = yield* ofValue({ paths, records, now }, value, `values.${at}`)
    corrected.push(...asked)
    for (const { correction } of asked) now = afterTable(records, now, correction)
  }
  for (const [at, path] of confirmed.entries()) {
    const asked = yield* ofConfirmed({ paths, records, now }, path, `confirmed.${at}`)
    accepted.push(...asked)
    for (const { correction } of asked) now = afterTable(records, now, correction)
  }
  const all = [...corrected, ...accepted]
  if (all.length > mostValues) return yield* tooMany("values")
  const given = new Set(corrected.map(({ correction }) => keyOf(correction)))
  const both = accepted.find(({ correction }) => given.has(keyOf(correction)))
  if (both !== undefined)
    return yield* invalid(both.part, "the same value is in values; correct it or confirm it")
  return all
})
