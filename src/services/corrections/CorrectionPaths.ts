import { defined } from "../../support/Defined.ts"
import type { CorrectedField, Corrections } from "../../domain/Corrections.ts"
import { namesOfPointer, pointerOf, pointerTo } from "../../support/JsonPointer.ts"
import type { OutputCorrections } from "../../domain/OutputCorrections.ts"
import type { StepRecord } from "../../engine/journal/StepRecord.ts"
import { type FieldPlace, outputPlaces } from "../executions/OutputFields.ts"
import { isKnown, keyOf, knownSteps } from "./CorrectedRecords.ts"

/** Maps paths of an output to extracted fields, and back. */
export interface CorrectionPaths {
  /**
   * The field, row or cell of a path; undefined if nothing was extracted there, and the tables of `now`, which are the
   * records with the corrected tables, have no such row or cell.
   */
  readonly placeOf: (path: string, now?: ReadonlyArray<StepRecord>) => FieldPlace | undefined
  /** The path of a field or cell: that of the first value of the output that comes from it. */
  readonly pathOf: (place: FieldPlace) => string
}

/** The path of a field by its own name: for fields that the output leaves out, and as in `review`. */
const ownPath = ({ column, field, row }: FieldPlace): string =>
  row === undefined || column === undefined
    ? pointerTo("", field)
    : pointerTo(pointerTo(pointerTo("", field), row), column)

const rowNumber = /^(?:0|[1-9]\d{0,8})$/u

/** The place of a row or cell, by the names that follow those of its table. */
const placeIn = (
  table: FieldPlace,
  [row, column, ...more]: ReadonlyArray<string>
): FieldPlace | undefined => {
  if (row === undefined) return table
  if (table.row !== undefined || more.length > 0 || !rowNumber.test(row)) return undefined
  return { ...table, row: Number(row), ...defined({ column }) }
}

/** Makes the mapping of paths, which matches values of the output with fields of the steps as `?include=fields` does. */
export const correctionPaths = (output: unknown, records: ReadonlyArray<StepRecord>): CorrectionPaths => {
  const steps = knownSteps(records)
  const extracted = Object.fromEntries(steps.map(({ fields, path }) => [path, { fields }]))
  const places = outputPlaces(output, extracted)
  // The first of several values from the same field gives the path.
  const paths = new Map([...places].reverse().map(([path, place]) => [keyOf(place), path]))
  const inTable = (names: ReadonlyArray<string>): ReadonlyArray<FieldPlace | undefined> =>
    [1, 2].map((depth) => {
      const table = places.get(names.slice(0, -depth).reduce(pointerTo, ""))
      return table && placeIn(table, names.slice(-depth))
    })
  const byName = ([field, ...cell]: ReadonlyArray<string>): ReadonlyArray<FieldPlace | undefined> =>
    field === undefined ? [] : steps.toReversed().map(({ path: step }) => placeIn({ step, field }, cell))
  return {
    placeOf: (path, now = records) => {
      const pointer = pointerOf(path)
      const isThere = (place: FieldPlace | undefined) =>
        place !== undefined && isKnown(records, place, now) ? place : undefined
      const names = namesOfPointer(pointer)
      return isThere(places.get(pointer)) ?? [...inTable(names), ...byName(names)].find(isThere)
    },
    pathOf: (place) => {
      const { column, row, ...table } = place
      const own = paths.get(keyOf(place))
      const parent = paths.get(keyOf(table))
      if (own !== undefined || parent === undefined) return own ?? ownPath(place)
      return row === undefined || column === undefined ? parent : pointerTo(pointerTo(parent, row), column)
    }
  }
}

const valueOf = (path: string, { at, bbox, by, page, value }: CorrectedField) => ({
  path,
  value,
  ...defined({ page, bbox }),
  by,
  at
})

/** Corrections by the paths of the output. Without corrections, the corrected output is the output itself. */
export const byPath = (
  { corrections, notes, open, output: correctedOutput, revision, taught }: Corrections,
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
    ...(notes && {
      notes: notes.map(({ kind, message, ...place }) => ({ path: pathOf(place), kind, message }))
    }),
    ...(taught && {
      taught: taught.map(({ documents, value, ...place }) => ({ path: pathOf(place), value, documents }))
    }),
    ...(shown === undefined ? {} : { output: shown })
  }
}
