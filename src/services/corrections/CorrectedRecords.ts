import { Predicate } from "effect"
import type { CorrectedField } from "../../domain/Corrections.ts"
import type { StepRecord } from "../../engine/StepRecord.ts"

type Target = Pick<CorrectedField, "step" | "field" | "row" | "column">

const member = (value: unknown, name: string | number): unknown =>
  Predicate.isObjectOrArray(value) && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined

/** Whether two corrections are about the same field or cell. */
export const isSame = (one: Target, other: Target): boolean =>
  one.step === other.step && one.field === other.field && one.row === other.row && one.column === other.column

/** Whether the steps extracted such a field or cell. */
export const isKnown = (
  records: ReadonlyArray<StepRecord>,
  { column, field, row, step }: Target
): boolean => {
  const record = records.find(({ path, status }) => path === step && status === "completed")
  const values = member(record?.output, "values")
  if (!Predicate.isObject(values) || !Object.hasOwn(values, field)) return false
  if (row === undefined || column === undefined) return row === undefined && column === undefined
  const cells = member(member(values, field), row)
  return Predicate.isObject(cells) && Object.hasOwn(cells, column)
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

const withCell = (table: unknown, row: number, column: string, value: unknown): unknown =>
  Array.isArray(table)
    ? table.map((cells: unknown, index) =>
        index === row && Predicate.isObject(cells) ? { ...cells, [column]: value } : cells
      )
    : table

const corrected = (record: StepRecord, { column, field, row, value }: CorrectedField): StepRecord => {
  const { output } = record
  if (!Predicate.isObject(output)) return record
  const values = member(output, "values")
  if (!Predicate.isObject(values)) return record
  const now =
    row === undefined || column === undefined ? value : withCell(member(values, field), row, column, value)
  return { ...record, output: { ...output, values: { ...values, [field]: now } } }
}

/** What the steps would have recorded with the right values. */
export const correctedRecords = (
  records: ReadonlyArray<StepRecord>,
  fields: ReadonlyArray<CorrectedField>
): ReadonlyArray<StepRecord> =>
  records.map((record) => fields.filter(({ step }) => step === record.path).reduce(corrected, record))

/** The fields that a person should look at, of every step. */
export const reviewFields = (records: ReadonlyArray<StepRecord>): ReadonlyArray<Target> =>
  records
    .filter(({ path }) => !records.some((other) => other.path.startsWith(`${path}.`)))
    .flatMap(({ output, path }) => {
      const review = member(output, "review")
      const items: ReadonlyArray<unknown> = Array.isArray(review) ? review : []
      return items.flatMap((item) => {
        const field = member(item, "field")
        return typeof field === "string" ? [{ step: path, field }] : []
      })
    })
