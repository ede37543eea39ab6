import type { CorrectedField, Correction } from "../../domain/Corrections.ts"
import type { StepRecord } from "../../engine/journal/StepRecord.ts"
import { correctedRecords, extractedValue, keyOf, type Target, withCorrected } from "./CorrectedRecords.ts"

/** A whole table is mostly the same object, and long to write. */
export const isEqual = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other)

/** Whether a table, which contains the corrections of its cells, is without them what was extracted. */
const isOfCells = (
  records: ReadonlyArray<StepRecord>,
  saved: ReadonlyArray<CorrectedField>,
  { field, step, value }: CorrectedField
): boolean => {
  const cells = saved.filter((one) => one.row !== undefined && one.step === step && one.field === field)
  const before = cells.map((cell) => Object.assign({}, cell, { value: extractedValue(records, cell) }))
  const { [field]: undone } = withCorrected({ [field]: value }, before)
  return isEqual(undone, extractedValue(records, { step, field }))
}

/**
 * The records with the tables that were corrected as a whole: they decide which cells there are. Not with those that were
 * confirmed and of which only cells were corrected: such a cell can return to what was extracted.
 */
export const withTables = (
  records: ReadonlyArray<StepRecord>,
  saved: ReadonlyArray<CorrectedField>
): ReadonlyArray<StepRecord> =>
  correctedRecords(
    records,
    saved.filter((one) => one.row === undefined && !isOfCells(records, saved, one))
  )

/** The corrections with each table accepted that is what was extracted, also because its cells were corrected back. */
export const withAccepted = (
  records: ReadonlyArray<StepRecord>,
  fields: ReadonlyArray<CorrectedField>
): ReadonlyArray<CorrectedField> =>
  fields.map((one) =>
    Array.isArray(one.value) && isEqual(one.value, extractedValue(records, one))
      ? { ...one, accepted: true }
      : one
  )

const fieldOf = ({ field, step }: Target): string => keyOf({ step, field })

/**
 * The corrections without those of `targets`: such a field or cell is again as it was extracted, and unchecked. A table loses
 * the corrections of its cells too; a cell of a corrected table returns to the extracted cell.
 */
export const withoutReverted = (
  records: ReadonlyArray<StepRecord>,
  saved: ReadonlyArray<CorrectedField>,
  targets: ReadonlyArray<Target>
): ReadonlyArray<CorrectedField> => {
  const whole = new Set(targets.filter(({ row }) => row === undefined).map(fieldOf))
  const cells = Map.groupBy(targets, fieldOf)
  const keys = new Set(targets.map(keyOf))
  return saved.flatMap((one) => {
    const own = cells.get(fieldOf(one))
    if (own === undefined) return [one]
    if (whole.has(fieldOf(one)) || keys.has(keyOf(one))) return []
    if (one.row !== undefined) return [one]
    // All cells at once: the table is copied, and may be long. A cell of an added row has nothing to return to.
    const extracted = own.flatMap((target) => {
      const value = extractedValue(records, target)
      return value === undefined ? [] : [{ ...target, value }]
    })
    return [{ ...one, value: withCorrected({ [one.field]: one.value }, extracted)[one.field] }]
  })
}

/** Whether a correction accepts what was extracted. */
export const accepts = ({ bbox, value }: Correction): boolean => value === undefined && bbox === undefined

/** The records after a correction; only one of a whole table changes which cells there are. */
export const afterTable = (
  records: ReadonlyArray<StepRecord>,
  now: ReadonlyArray<StepRecord>,
  correction: Correction
): ReadonlyArray<StepRecord> => {
  const { field, row, step, value } = correction
  const before = extractedValue(records, correction)
  if (row !== undefined || !(Array.isArray(before) || Array.isArray(value))) return now
  const rows = accepts(correction) ? before : Array.isArray(value) ? value : null
  return correctedRecords(now, [{ step, field, value: rows }])
}
