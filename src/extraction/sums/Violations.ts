import { hundredths } from "../../support/Cents.ts"
import { type Equation, tolerance } from "./Equation.ts"
import type { Chosen } from "./Sums.ts"
import type { FieldEvidence } from "../../domain/Evidence.ts"
import { textOfWords } from "../../domain/LineText.ts"
import type { Field } from "../lexicon/Field.ts"
import { percentsIn } from "../values/Numbers.ts"
import type { Reading } from "../layout/Reading.ts"

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
