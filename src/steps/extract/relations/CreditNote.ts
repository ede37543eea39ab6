import type { FieldEvidence } from "../../../domain/Evidence.ts"
import type { Field } from "../Field.ts"

const negated = (value: unknown): unknown => (typeof value === "number" && value !== 0 ? -value : value)

/** The term of the quantity of a line in EN 16931. */
const quantity = "BT-129"

/** The rows of a table with the signs of its amounts and quantities turned, where they are negative. */
const turnedRows = (field: Field, rows: unknown): unknown =>
  Array.isArray(rows)
    ? rows.map((row: Readonly<Record<string, unknown>>) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => {
            const column = field.columns.find((column) => column.name === name)
            const turns = column?.type === "money" || column?.term === quantity
            return [name, turns && Number(value) < 0 ? negated(value) : value]
          })
        )
      )
    : rows

/**
 * Some credit notes print their amounts with a minus, others without. As in the European standard for invoices (EN
 * 16931), amounts are returned without it, and what they mean follows from the document's kind. Invoices are left
 * alone.
 */
export const withoutCreditSign = (
  fields: ReadonlyArray<Field>,
  found: Readonly<Record<string, FieldEvidence>>
): Record<string, FieldEvidence> => {
  const kind = fields.find(({ finder }) => finder === "kind")
  const isCredit = kind !== undefined && found[kind.name]?.value === "credit-note"
  const sums = fields.filter(({ type, unsigned }) => type === "money" && unsigned)
  const allNegative = sums.every(({ name }) => Number(found[name]?.value ?? 0) <= 0)
  if (!isCredit || !allNegative) return { ...found }
  return Object.fromEntries(
    fields.flatMap((field) => {
      const evidence = found[field.name]
      if (evidence === undefined) return []
      if (!field.unsigned) return [[field.name, evidence]]
      const value = field.type === "table" ? turnedRows(field, evidence.value) : negated(evidence.value)
      return [[field.name, { ...evidence, value }]]
    })
  )
}
