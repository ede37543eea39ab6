import { Predicate } from "effect"
import type { CorrectedField } from "../../domain/Corrections.ts"
import type { FieldEvidence } from "../../domain/Evidence.ts"
import type { StepRecord } from "../../engine/journal/StepRecord.ts"

/** A field or a cell; a row if it has no `column`. */
export type Target = Pick<CorrectedField, "step" | "field" | "row" | "column">

/** A step whose values people may correct; `fields` is their evidence. */
interface KnownStep {
  readonly path: string
  readonly fields: Readonly<Record<string, FieldEvidence>>
}

/** Step kinds that only compute; they run again with corrected values. */
export const computing: ReadonlySet<string> = new Set(["transform", "validate"])

const member = (value: unknown, name: string | number): unknown =>
  Predicate.isObjectOrArray(value) && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined

/** A key that is equal for corrections of the same field or cell, and only for them. */
export const keyOf = ({ column, field, row, step }: Target): string =>
  JSON.stringify([step, field, row, column])

const isMissing = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)

/** Leaves out control steps, whose results follow from those of the steps inside. */
export const innermost = (records: ReadonlyArray<StepRecord>): ReadonlyArray<StepRecord> =>
  records.filter(({ path }) => !records.some((other) => other.path.startsWith(`${path}.`)))

/** The steps that extracted values, in the order in which they ran. */
export const knownSteps = (records: ReadonlyArray<StepRecord>): ReadonlyArray<KnownStep> =>
  innermost(records).flatMap(({ kind, output, path, status }) => {
    const values = member(output, "values")
    if (status !== "completed" || computing.has(kind) || !Predicate.isObject(values)) return []
    const fields = Object.entries(values).map(([name, value]): [string, FieldEvidence] => [
      name,
      { value, confidence: 0, status: isMissing(value) ? "missing" : "inferred" }
    ])
    return [{ path, fields: Object.fromEntries(fields) }]
  })

/** The cells of a row that was extracted. */
export const cellsOf = (
  records: ReadonlyArray<StepRecord>,
  { field, row, step }: Target
): object | undefined => {
  const cells = member(extractedValue(records, { step, field }), row ?? -1)
  return Predicate.isObject(cells) ? cells : undefined
}

const hasColumn = (table: unknown, column: string): boolean =>
  Array.isArray(table) && table.some((cells) => Predicate.isObject(cells) && Object.hasOwn(cells, column))

/**
 * Whether the steps extracted such a field, and it has such a row or cell `now`, which are the records with the corrected
 * tables. A cell may be one that its row left out.
 */
export const isKnown = (
  records: ReadonlyArray<StepRecord>,
  { column, field, row, step }: Target,
  now = records
): boolean => {
  const record = records.find(({ path, status }) => path === step && status === "completed")
  const values = member(record?.output, "values")
  if (!Predicate.isObject(values) || !Object.hasOwn(values, field)) return false
  if (row === undefined) return column === undefined
  const cells = cellsOf(now, { step, field, row })
  if (cells === undefined || column === undefined) return cells !== undefined
  const tables = [values, member(now.find(({ path }) => path === step)?.output, "values")]
  return Object.hasOwn(cells, column) || tables.some((table) => hasColumn(member(table, field), column))
}

/** The value that was extracted. */
export const extractedValue = (
  records: ReadonlyArray<StepRecord>,
  { column, field, row, step }: Target
): unknown => {
  const record = records.find(({ path }) => path === step)
  const value = member(member(record?.output, "values"), field)
  return row === undefined || column === undefined ? value : member(member(value, row), column)
}

/** A field or cell and its corrected value. */
type NewValue = Target & Pick<CorrectedField, "value">

/** Whether a table has a row of cells. */
export const hasRow = (table: unknown, row: number): boolean => Predicate.isObject(member(table, row))

/** The values of a step, with corrected ones replaced. */
export const withCorrected = (
  values: object,
  fields: ReadonlyArray<NewValue>
): Readonly<Record<string, unknown>> => {
  const now: Record<string, unknown> = { ...values }
  const rowsOf = new Map<string, Array<unknown>>()
  for (const { column, field, row, value } of fields) {
    if (row === undefined || column === undefined) {
      now[field] = value
      rowsOf.delete(field)
      continue
    }
    const table = now[field]
    if (!Array.isArray(table)) continue
    // Copied once, however many of its cells are corrected.
    const rows: Array<unknown> = rowsOf.get(field) ?? [...table]
    rowsOf.set(field, rows)
    now[field] = rows
    const cells = rows[row]
    if (Predicate.isObject(cells)) rows[row] = { ...cells, [column]: value }
  }
  return now
}

const corrected = (record: StepRecord, fields: ReadonlyArray<NewValue>): StepRecord => {
  const { output } = record
  const values = member(output, "values")
  if (!Predicate.isObject(output) || !Predicate.isObject(values)) return record
  return { ...record, output: { ...output, values: withCorrected(values, fields) } }
}

/** What the steps would have recorded with the corrected values. */
export const correctedRecords = (
  records: ReadonlyArray<StepRecord>,
  fields: ReadonlyArray<NewValue>
): ReadonlyArray<StepRecord> => {
  if (fields.length === 0) return records
  const ofStep = Map.groupBy(fields, ({ step }) => step)
  return records.map((record) => corrected(record, ofStep.get(record.path) ?? []))
}

/** The fields of all steps that need review. */
const reviewFields = (records: ReadonlyArray<StepRecord>): ReadonlyArray<Target> =>
  innermost(records).flatMap(({ output, path }) => {
    const review = member(output, "review")
    const items: ReadonlyArray<unknown> = Array.isArray(review) ? review : []
    return items.flatMap((item) => {
      const field = member(item, "field")
      return typeof field === "string" ? [{ step: path, field }] : []
    })
  })

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf(".") + 1)

/**
 * The number of fields in `review` that nobody has corrected or accepted: in their own step, or in a step that combines
 * the values of others and has no review of its own.
 */
export const openOf = (records: ReadonlyArray<StepRecord>, fields: ReadonlyArray<CorrectedField>): number => {
  const reviewing = new Set(
    records.filter(({ output }) => Array.isArray(member(output, "review"))).map(({ path }) => path)
  )
  const settles = (saved: CorrectedField, item: Target): boolean =>
    saved.field === item.field &&
    (saved.step === item.step || (!reviewing.has(saved.step) && folderOf(saved.step) === folderOf(item.step)))
  return reviewFields(records).filter((item) => !fields.some((saved) => settles(saved, item))).length
}
