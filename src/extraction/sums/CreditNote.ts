import type { FieldEvidence } from "../../domain/Evidence.ts"
import type { Field } from "../lexicon/Field.ts"
import { ofLexicon } from "../lexicon/Lexicon.ts"
import { wholeWords } from "../lexicon/WordPatterns.ts"
import type { Reading } from "../layout/Reading.ts"

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

const creditTitles = ofLexicon((lexicon) =>
  wholeWords(lexicon.languages.flatMap(({ kinds }) => kinds["credit-note"]?.titles ?? []))
)

/** The kind of a document whose sums are all negative: one that speaks of a credit note is one, `AVOIR N° 85 911204`. */
const kindBySums = (
  reading: Reading | undefined,
  kind: FieldEvidence | undefined,
  areNegative: boolean
): FieldEvidence | undefined =>
  areNegative &&
  kind?.value === "invoice" &&
  reading !== undefined &&
  creditTitles(reading.lexicon).test(reading.text)
    ? { ...kind, value: "credit-note", confidence: Math.min(bySums, kind.confidence) }
    : kind

const bySums = 0.8

/**
 * Some credit notes print their amounts with a minus, others without. As in the European standard for invoices (EN
 * 16931), amounts are returned without it, and what they mean follows from the document's kind. Invoices are left
 * alone.
 */
export const withoutCreditSign = (
  fields: ReadonlyArray<Field>,
  printed: Readonly<Record<string, FieldEvidence>>,
  reading?: Reading
): Record<string, FieldEvidence> => {
  const kind = fields.find(({ finder }) => finder === "kind")
  const sums = fields.filter(({ type, unsigned }) => type === "money" && unsigned)
  const values = sums.map(({ name }) => Number(printed[name]?.value ?? 0))
  const allNegative = values.every((value) => value <= 0)
  if (kind === undefined || !allNegative) return { ...printed }
  const named = kindBySums(
    reading,
    printed[kind.name],
    values.some((value) => value < 0)
  )
  if (named?.value !== "credit-note") return { ...printed }
  const found = { ...printed, [kind.name]: named }
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
