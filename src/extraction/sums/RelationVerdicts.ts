import { hundredths } from "../../support/Cents.ts"
import { type Equation, tolerance, holds } from "./Equation.ts"
import type { Chosen } from "./Sums.ts"
import type { FieldEvidence } from "../../domain/Evidence.ts"
import { textOfWords } from "../../domain/LineText.ts"
import type { Field } from "../lexicon/Field.ts"
import { percentsIn } from "../values/Numbers.ts"
import type { Reading } from "../layout/Reading.ts"
import { defined } from "../../support/Defined.ts"
import type { Candidate } from "../layout/Candidate.ts"
import { type FoundTable, isInItems } from "../tables/FoundTable.ts"

/** For rounding of each line. */
const slack = 0.05

/** The maximum confidence of a tax that is more than its rate. */
export const doubtedTax = 0.75

/** A tax that its own printed rate cannot explain. */
export interface TaxAboveRate {
  readonly field: string
  readonly warning: string
}

/**
 * A tax that is more than the rate printed in its row of all that is taxed: it was misread, or is wrong on paper. Less may be
 * right, because some of the goods may be free of tax.
 */
export const taxAboveRate = (
  reading: Reading,
  fields: ReadonlyArray<Field>,
  sums: ReadonlyMap<string, Chosen>,
  evidence: ReadonlyMap<string, FieldEvidence>
): TaxAboveRate | undefined => {
  const nameOf = (preset: string) => fields.find((field) => field.preset === preset)?.name ?? ""
  const field = nameOf("invoice.taxAmount")
  const tax = sums.get(field)
  const total = evidence.get(nameOf("invoice.totalAmount"))?.value
  if (tax === undefined || tax.inferred || tax.computed === true || typeof total !== "number")
    return undefined
  const row = reading.pages[tax.span.page]?.rows[tax.span.row] ?? []
  const rates = percentsIn(textOfWords(row))
  const [rate] = rates
  const subtotal = evidence.get(nameOf("invoice.subtotal"))
  // Where tax is withheld at the source, the total is less than what is taxed and its tax.
  const printed = subtotal?.status === "grounded" ? Number(subtotal.value) : 0
  const taxed = Math.max(total - tax.value, printed)
  if (rate === undefined || rates.length > 1 || rate === 0 || taxed <= 0) return undefined
  if (tax.value <= (taxed * rate) / 100 + slack) return undefined
  const base = hundredths(taxed)
  return {
    field,
    warning: `${field} ${tax.value} is more than the printed ${rate} % of ${base}: check the amounts.`
  }
}

/** An equation that the chosen amounts do not make true: what its two sides come to. */
export interface Violation {
  readonly equation: Equation
  readonly left: number
  readonly right: number
  /** The amounts of the fields. */
  readonly values: ReadonlyMap<string, number>
}

/** The equations that the values chosen in the end do not make true, with what their sides come to. */
export const violationsOf = (
  equations: ReadonlyArray<Equation>,
  values: ReadonlyMap<string, number>,
  columns: ReadonlyMap<string, number>,
  isExplained: (equation: Equation) => boolean = () => false
): ReadonlyArray<Violation> =>
  equations.flatMap((equation): ReadonlyArray<Violation> => {
    if (isExplained(equation)) return []
    const sides = { left: 0, right: 0 }
    let difference = 0
    for (const [at, { column, field, sign }] of equation.terms.entries()) {
      const value = column === undefined ? values.get(field) : columns.get(`${field}.${column}`)
      if (value === undefined) return []
      difference += sign * value
      if (at < equation.leftTerms) sides.left += sign * value
      else sides.right -= sign * value
    }
    return Math.abs(difference) <= tolerance(equation.terms.length)
      ? []
      : [{ equation, left: hundredths(sides.left), right: hundredths(sides.right), values }]
  })

/** What was chosen for the fields of a document, and the sums of the columns of its tables (`lines.net`). */
interface Sums {
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
interface TableVerdict {
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
