import type { CorrectedField } from "../../domain/Corrections.ts"
import { hasRow, keyOf, withCorrected } from "./CorrectedRecords.ts"

const fieldOf = ({ field, step }: CorrectedField): string => keyOf({ step, field })

const isWhole = ({ row }: CorrectedField): boolean => row === undefined

/** What holds of the corrections of one field: the last of the whole field, with the cells corrected after it. */
const settledField = (own: ReadonlyArray<CorrectedField>): ReadonlyArray<CorrectedField> => {
  const from = own.findLastIndex(isWhole)
  const whole = own[from]
  if (whole === undefined) return own
  const cells = own.slice(from + 1).filter(({ row = -1 }) => hasRow(whole.value, row))
  const last = cells.at(-1)
  if (last === undefined) return [whole]
  const { [whole.field]: value } = withCorrected({ [whole.field]: whole.value }, cells)
  const accepted = whole.accepted && cells.every((cell) => cell.accepted)
  return [{ ...whole, value, accepted, by: last.by, at: last.at }, ...cells]
}

/**
 * The corrections that hold, in the order in which they were made. A correction of a whole table replaces the earlier ones
 * of its cells, and contains the later ones, so that no two contradict each other.
 */
export const settled = (fields: ReadonlyArray<CorrectedField>): ReadonlyArray<CorrectedField> => {
  const kept = [...Map.groupBy(fields, fieldOf).values()].flatMap(settledField)
  const byKey = new Map(kept.map((field) => [keyOf(field), field]))
  return fields.flatMap((field) => {
    const found = byKey.get(keyOf(field))
    return found === undefined ? [] : [found]
  })
}
