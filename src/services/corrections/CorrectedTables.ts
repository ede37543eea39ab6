import type { CorrectedField, Correction } from "../../domain/Corrections.ts"
import type { StepRecord } from "../../engine/StepRecord.ts"
import { correctedRecords, extractedValue } from "./CorrectedRecords.ts"

/** The records with the tables that were corrected as a whole: they decide which cells there are. */
export const withTables = (
  records: ReadonlyArray<StepRecord>,
  saved: ReadonlyArray<CorrectedField>
): ReadonlyArray<StepRecord> =>
  correctedRecords(
    records,
    saved.filter(({ row }) => row === undefined)
  )

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
