import { hundredths } from "../../support/Cents.ts"
import type { FieldEvidence } from "../../domain/Evidence.ts"
import { textOfWords } from "../../domain/LineText.ts"
import type { Field } from "../lexicon/Field.ts"
import { percentsIn } from "../values/Numbers.ts"
import type { Reading } from "../layout/Reading.ts"
import type { Chosen } from "./Sums.ts"

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
