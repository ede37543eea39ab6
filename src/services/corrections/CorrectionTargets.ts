import { Effect } from "effect"
import type { CorrectedField, Correction } from "../../domain/Corrections.ts"
import type { StepRecord } from "../../engine/journal/StepRecord.ts"
import { extractedValue, isKnown, keyOf } from "./CorrectedRecords.ts"
import { accepts, afterTable, isEqual, withTables } from "./CorrectedTables.ts"
import type { Asked } from "./AskedCorrections.ts"
import { invalidCorrection, nameOf } from "./CorrectionReadings.ts"

/** A correction, the value of its field or cell as extracted, and the one that people see: corrected earlier or extracted. */
interface Target {
  readonly asked: Asked
  readonly before: unknown
  readonly shown: unknown
}

/**
 * Finds the values that corrections replace or accept, each after those that were `saved` and those before it.
 * ValidationFailed for a field or cell that does not exist, and for a cell that cannot be accepted as it was extracted.
 */
export const targetsOf = Effect.fnUntraced(function* (
  records: ReadonlyArray<StepRecord>,
  saved: ReadonlyArray<CorrectedField>,
  all: ReadonlyArray<Asked>
) {
  const found: Array<Target> = []
  const latest = new Map(saved.map((field) => [keyOf(field), field.value]))
  let now = withTables(records, saved)
  for (const asked of all) {
    const { correction, part } = asked
    const { column, row, step } = correction
    if ((row === undefined) !== (column === undefined) || !isKnown(records, correction, now))
      return yield* invalidCorrection(noTarget(correction, step), part)
    const extracted = extractedValue(records, correction)
    const current = row === undefined ? extracted : extractedValue(now, correction)
    if (accepts(correction) && !isEqual(extracted, current))
      return yield* invalidCorrection(replaced(correction), part)
    const before = extracted ?? current
    found.push({ asked, before, shown: latest.get(keyOf(correction)) ?? current ?? before })
    now = afterTable(records, now, correction)
  }
  return found
})

const noTarget = (correction: Correction, step: string): string =>
  `The step ${step} extracted no ${nameOf(correction)}`

const replaced = (correction: Correction): string =>
  `${nameOf(correction)} is no longer what was extracted, because the table ${correction.field} was corrected. ` +
  "Send its value, or confirm the table to return to the extracted one"
