import { Effect, Predicate } from "effect"
import { defined } from "../../domain/Defined.ts"
import type { CorrectedField, Correction, Corrections } from "../../domain/Corrections.ts"
import { ValidationFailed } from "../../domain/Errors.ts"
import { namesOfPointer, pointerOf, pointerTo } from "../../domain/JsonPointer.ts"
import {
  mostValues,
  type OutputCorrection,
  type OutputCorrections,
  type SaveOutputCorrections
} from "../../domain/OutputCorrections.ts"
import type { StepRecord } from "../../engine/StepRecord.ts"
import { type FieldPlace, outputPlaces } from "../executions/OutputFields.ts"
import { cellsOf, isKnown, keyOf, knownSteps } from "./CorrectedRecords.ts"

/** A correction, and its path in the request, for messages: `values.0`. */
export interface Asked {
  readonly correction: Correction
  readonly part: string
}

/** Maps paths of an output to extracted fields, and back. */
export interface CorrectionPaths {
  /** The field, row or cell of a path; undefined if nothing was extracted there. */
  readonly placeOf: (path: string) => FieldPlace | undefined
  /** The path of a field or cell: that of the first value of the output that comes from it. */
  readonly pathOf: (place: FieldPlace) => string
}

/** The path of a field by its own name: for fields that the output leaves out, and as in `review`. */
const ownPath = ({ column, field, row }: FieldPlace): string =>
  row === undefined || column === undefined
    ? pointerTo("", field)
    : pointerTo(pointerTo(pointerTo("", field), row), column)

const rowNumber = /^(?:0|[1-9]\d{0,8})$/u

const placeByName = (
  records: ReadonlyArray<StepRecord>,
  steps: ReadonlyArray<{ readonly path: string }>,
  path: string
): FieldPlace | undefined => {
  const [field, row, column, ...more] = namesOfPointer(path)
  if (field === undefined || more.length > 0) return undefined
  if (row !== undefined && !rowNumber.test(row)) return undefined
  const cell = row === undefined ? {} : { row: Number(row), ...(column === undefined ? {} : { column }) }
  return steps
    .map((step): FieldPlace => Object.assign({ step: step.path, field }, cell))
    .findLast((place) => (isRow(place) ? cellsOf(records, place) !== undefined : isKnown(records, place)))
}

const isRow = ({ column, row }: FieldPlace): boolean => row !== undefined && column === undefined

/** Makes the mapping of paths, which matches values of the output with fields of the steps as `?include=fields` does. */
export const correctionPaths = (output: unknown, records: ReadonlyArray<StepRecord>): CorrectionPaths => {
  const steps = knownSteps(records)
  const extracted = Object.fromEntries(steps.map(({ fields, path }) => [path, { fields }]))
  const places = outputPlaces(output, extracted)
  // The first of several values from the same field gives the path.
  const paths = new Map([...places].reverse().map(([path, place]) => [keyOf(place), path]))
  return {
    placeOf: (path) => {
      const pointer = pointerOf(path)
      return places.get(pointer) ?? placeByName(records, steps, pointer)
    },
    pathOf: (place) => paths.get(keyOf(place)) ?? ownPath(place)
  }
}

const invalid = (field: string, reason: string) =>
  new ValidationFailed({ message: `Invalid ${field}: ${reason}`, details: { field, reason } })

const unknown = (field: string, path: string) =>
  invalid(
    field,
    `no step extracted a value for "${path.slice(0, 200)}"; send the path of a value in the output`
  )

/** The corrections of a row, cell by cell. */
const ofRow = (
  records: ReadonlyArray<StepRecord>,
  row: FieldPlace,
  part: string,
  value: unknown
): Effect.Effect<ReadonlyArray<Asked>, ValidationFailed> => {
  if (!Predicate.isObject(value)) return invalid(`${part}.value`, "a row is an object of its cells")
  const cells = cellsOf(records, row) ?? {}
  const other = Object.keys(value).find((column) => !Object.hasOwn(cells, column))
  if (other !== undefined) return invalid(`${part}.value.${other}`, "the table has no such column")
  return Effect.succeed(
    Object.entries(value).map(([column, cell]) => ({ part, correction: { ...row, column, value: cell } }))
  )
}

const ofValue = (
  records: ReadonlyArray<StepRecord>,
  { placeOf }: CorrectionPaths,
  { path, ...how }: OutputCorrection,
  part: string
): Effect.Effect<ReadonlyArray<Asked>, ValidationFailed> => {
  const place = placeOf(path)
  if (place === undefined) return unknown(`${part}.path`, path)
  if (how.value === undefined && (how.page === undefined || how.bbox === undefined))
    return invalid(`${part}.value`, "is required, unless page and bbox are sent")
  return isRow(place)
    ? ofRow(records, place, part, how.value)
    : Effect.succeed([{ part, correction: { ...place, ...how } }])
}

const ofConfirmed = (
  records: ReadonlyArray<StepRecord>,
  { placeOf }: CorrectionPaths,
  path: string,
  part: string
): Effect.Effect<ReadonlyArray<Asked>, ValidationFailed> => {
  const place = placeOf(path)
  if (place === undefined) return unknown(part, path)
  return Effect.succeed(
    isRow(place)
      ? Object.keys(cellsOf(records, place) ?? {}).map((column) => ({
          part,
          correction: { ...place, column }
        }))
      : [{ part, correction: place }]
  )
}

/** Converts a request by paths into corrections. ValidationFailed names the part of the request that is wrong. */
export const askedOf = Effect.fnUntraced(function* (
  output: unknown,
  records: ReadonlyArray<StepRecord>,
  { confirmed = [], values = [] }: SaveOutputCorrections
) {
  const paths = correctionPaths(output, records)
  const corrected = yield* Effect.forEach(values, (value, at) =>
    ofValue(records, paths, value, `values.${at}`)
  )
  const accepted = yield* Effect.forEach(confirmed, (path, at) =>
    ofConfirmed(records, paths, path, `confirmed.${at}`)
  )
  const all = [...corrected.flat(), ...accepted.flat()]
  if (all.length > mostValues)
    return yield* invalid(
      "values",
      `at most ${mostValues} values may be sent at once; each cell of a row counts`
    )
  const given = new Set(corrected.flat().map(({ correction }) => keyOf(correction)))
  const both = accepted.flat().find(({ correction }) => given.has(keyOf(correction)))
  if (both !== undefined)
    return yield* invalid(both.part, "the same value is in values; correct it or confirm it")
  return all
})

const valueOf = (path: string, { at, bbox, by, page, value }: CorrectedField) => ({
  path,
  value,
  ...defined({ page, bbox }),
  by,
  at
})

/** Corrections by the paths of the output. Without corrections, the corrected output is the output itself. */
export const byPath = (
  { corrections, open, output: correctedOutput, revision }: Corrections,
  output: unknown,
  records: ReadonlyArray<StepRecord>
): OutputCorrections => {
  const { pathOf } = correctionPaths(output, records)
  const shown = corrections.length === 0 ? output : correctedOutput
  return {
    ifMatch: revision,
    values: corrections.filter(({ accepted }) => !accepted).map((field) => valueOf(pathOf(field), field)),
    confirmed: corrections
      .filter(({ accepted }) => accepted)
      .map((field) => ({ path: pathOf(field), by: field.by, at: field.at })),
    open,
    ...(shown === undefined ? {} : { output: shown })
  }
}
