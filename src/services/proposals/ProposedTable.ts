import type { DocumentIR, Table } from "../../domain/DocumentIR.ts"
import { foldedLabel, nameOfLabel, type ProposedField, typeOfValues } from "./ProposedField.ts"

const isHeading = (text: string): boolean => /^\p{L}/u.test(text) && text.length <= 40

/** A table with headings: what they are, and the rows below. */
interface HeadedTable {
  readonly headings: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

const headedTable = ({ rows }: Table): ReadonlyArray<HeadedTable> => {
  const [headings = [], ...rest] = rows.map((row) => row.map(({ text }) => text.trim()))
  const isHeaded = headings.length >= 3 && headings.every(isHeading) && rest.length > 0
  return isHeaded && rest.some((row) => row.some((cell) => /\p{N}/u.test(cell)))
    ? [{ headings, rows: rest }]
    : []
}

/** Whether a table has headings, three columns or more, and figures. */
export const hasHeadings = (table: Table): boolean => headedTable(table).length > 0

const keyOf = ({ headings }: HeadedTable): string => headings.map(foldedLabel).join("|")

/** Quantities that are whole in the examples may not be elsewhere. */
const columnTypes: Readonly<Record<string, string>> = { integer: "number" }

const fieldOf = (tables: ReadonlyArray<HeadedTable>, name: string): ProposedField => {
  const taken = new Set<string>()
  const headings = tables[0]?.headings ?? []
  const columns = headings.map((label, index) => {
    const cells = tables.flatMap(({ rows }) => rows.flatMap((row) => row[index] || []))
    const type = typeOfValues(cells)
    const column = { name: nameOfLabel(label, taken), type: columnTypes[type] ?? type, label }
    taken.add(column.name)
    return column
  })
  return { name, type: "table", columns, foundIn: tables.length, example: headings.join(", ") }
}

/**
 * The table that most examples have, if at least half of them have one with the same headings: three columns or more, with
 * figures. `name` is that of the field.
 */
export const tableOfExamples = (
  documents: ReadonlyArray<DocumentIR>,
  name: string
): ReadonlyArray<ProposedField> => {
  const byHeadings = new Map<string, Array<HeadedTable>>()
  for (const { pages } of documents) {
    const tables = pages.flatMap((page) => (page.tables ?? []).flatMap(headedTable))
    for (const [key, table] of new Map(tables.map((table) => [keyOf(table), table] as const))) {
      byHeadings.set(key, [...(byHeadings.get(key) ?? []), table])
    }
  }
  const [most = []] = [...byHeadings.values()].toSorted((one, other) => other.length - one.length)
  return most.length > 0 && most.length >= documents.length / 2 ? [fieldOf(most, name)] : []
}
