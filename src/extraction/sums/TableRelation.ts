import { defined } from "../../support/Defined.ts"
import type { Candidate } from "../layout/Candidate.ts"
import type { FieldEvidence } from "../../domain/Evidence.ts"
import type { FoundTable } from "../tables/FoundTable.ts"
import { isInItems } from "../tables/FoundTable.ts"
import { type Equation, holds } from "./Equation.ts"

/** What was chosen for the fields of a document, and the sums of the columns of its tables (`lines.net`). */
export interface Sums {
  readonly evidence: ReadonlyMap<string, FieldEvidence>
  readonly chosen: (field: string) => Candidate | undefined
  readonly columns: ReadonlyMap<string, number>
  /**
   * Whether neither a label nor a rate says that what is added to the net amount is a tax: it may be the sum of another table, as that of
   * costs behind that of fees.
   */
  readonly hasBareAddend: boolean
}

const isOf = ({ terms }: Equation, name: string): boolean =>
  terms.some(({ column, field }) => field === name && column !== undefined)

/** An amount that is printed outside of a table: one of its rows says nothing about their sum, nor one that follows from it. */
const printedAmount = (field: string, table: FoundTable, { chosen, evidence }: Sums): number | undefined => {
  const { status, value } = evidence.get(field) ?? {}
  const place = chosen(field)
  if (status !== "grounded" || typeof value !== "number" || place === undefined) return undefined
  return isInItems(table, place) ? undefined : value
}

/** Whether a relation of a table's column holds with amounts that are printed outside of the table. */
const isProven = (name: string, table: FoundTable, equations: ReadonlyArray<Equation>, sums: Sums): boolean =>
  equations
    .filter((equation) => isOf(equation, name))
    .some(
      (equation) =>
        holds(equation, ({ column, field }) =>
          column === undefined ? printedAmount(field, table, sums) : sums.columns.get(`${field}.${column}`)
        ) === true
    )

/** What a table is worth whose column adds up to what is printed: with nothing open, or with something. */
const provenTable = 0.95
const provenButOpen = 0.8
/** What it is worth at most where the flow has a relation that nothing printed confirms, and where more is open. */
const unconfirmed = 0.7
const unconfirmedAndOpen = 0.4

/** The confidence in a table, and why it is no higher, in a sentence. */
export interface TableVerdict {
  readonly quality: number
  readonly reason?: string
}

/**
 * Evaluates a table by the relations of the flow. One with amounts as presets name them has been evaluated by those; what is in
 * doubt is said either way.
 */
export const verdictByRelation = (
  name: string,
  table: FoundTable,
  equations: ReadonlyArray<Equation>,
  sums: Sums
): TableVerdict => {
  const { isSummed, quality } = table
  const [open] = [...table.doubts, ...table.open]
  const own = equations.find((equation) => isOf(equation, name))
  if (isSummed && own !== undefined && sums.hasBareAddend)
    return { quality: Math.min(quality, provenButOpen), reason: open ?? bareAddend }
  if (isSummed) return { quality, ...defined({ reason: open }) }
  if (own === undefined) return { quality, reason: open ?? noRelation }
  if (!isProven(name, table, equations, sums)) {
    const most = open === undefined ? unconfirmed : unconfirmedAndOpen
    return { quality: Math.min(quality, most), reason: open ?? `${own.text} could not be confirmed.` }
  }
  return open === undefined
    ? { quality: provenTable }
    : { quality: Math.max(quality, provenButOpen), reason: open }
}

const noRelation = "No relation of the flow compares the rows with a sum that is printed."

const bareAddend =
  "What is added to the sum of the rows has no label of a tax: it may be of rows in another table."
