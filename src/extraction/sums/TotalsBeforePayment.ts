import { type Candidate, rowKey } from "../layout/Candidate.ts"
import { best, type Ranked, scored } from "../candidates/Ranked.ts"
import type { Field } from "../lexicon/Field.ts"
import { ofLexicon } from "../lexicon/Lexicon.ts"
import { wholeWords } from "../lexicon/WordPatterns.ts"
import { textOfWords } from "../../domain/LineText.ts"
import type { Reading } from "../layout/Reading.ts"
import { lastOfRows } from "../candidates/LastOfRows.ts"
import { restBelow } from "./LeftToPay.ts"
import { sumsOfRow } from "./SumsInRows.ts"

/** The score of a total of which a part was paid, and what is left of the score of the rest. */
const [sure, less] = [0.85, 0.5]

const cent = 0.006

const discountWords = ofLexicon((lexicon) => wholeWords(lexicon.words("discount")))

/**
 * The candidates for the total of an invoice of which a part was paid before, or is withheld: `Total 10,000.00` above `Less deposit
 * paid 2,000.00` and `Amount due 8,000.00` is the total, and not what is left. A discount lowers the total itself. Nor is what was owed
 * before a part of it: `Total 691.96` above `Previous balance 45.00` and `Balance due 736.96`.
 */
export const withTotalsBeforePayment = (
  reading: Reading,
  fields: ReadonlyArray<Field>,
  ranked: ReadonlyMap<string, ReadonlyArray<Ranked>>
): ReadonlyMap<string, ReadonlyArray<Ranked>> => {
  const field = fields.find(({ preset }) => preset === "invoice.totalAmount")
  if (field === undefined) return ranked
  const amounts = lastOfRows(reading)
  for (const [at, total] of amounts.entries()) {
    if (!isTotal(reading, field, total)) continue
    const rest = restBelow(reading, amounts, at)
    const isPartlyPaid = rest !== undefined && !isDiscounted(reading, total.span, rest.span)
    const other = isPartlyPaid ? rest : withBalance(reading, field, amounts, at)
    if (other === undefined) continue
    const others = (ranked.get(field.name) ?? []).map((found) =>
      found.value === other.value ? Object.assign({}, found, { score: found.score * less }) : found
    )
    return new Map([...ranked, [field.name, best([...others, scored(total, sure)])]])
  }
  return ranked
}

/** Whether a label says that an amount is a total, or the two in front of it in its row come to it: `Total of this demand 7,180.00 1,436.00 8,616.00`. */
const isTotal = (reading: Reading, field: Field, total: Candidate<number>): boolean =>
  isInRowOfLabel(reading, field, total, true) ||
  sumsOfRow(reading.moneyByRow.get(rowKey(total.span.page, total.span.row)) ?? [])?.at(-1) === total

const isInRowOfLabel = (
  { labelsByRow }: Reading,
  field: Field,
  { span }: Candidate,
  names: boolean
): boolean =>
  (labelsByRow.get(rowKey(span.page, span.row)) ?? []).some(
    ({ label }) => label.field === field.name && label.names === names
  )

/** How many rows are between a total and the sum of it and what was owed before. */
const mostBetween = 3

/** The sum of a total and what was owed before, which is printed between the two. */
const withBalance = (
  reading: Reading,
  field: Field,
  amounts: ReadonlyArray<Candidate<number>>,
  at: number
): Candidate<number> | undefined => {
  let sum = amounts[at]?.value ?? 0
  const below = amounts.slice(at + 1, at + 2 + mostBetween)
  for (const [position, amount] of below.entries()) {
    const isSum = position > 0 && Math.abs(amount.value - sum) < cent
    if (isSum && isInRowOfLabel(reading, field, amount, true)) return amount
    if (!isInRowOfLabel(reading, field, amount, false) || amount.value < cent) return undefined
    sum += amount.value
  }
  return undefined
}

/** Whether a row between two others is about a discount. */
const isDiscounted = ({ lexicon, pages }: Reading, from: Ranked["span"], to: Ranked["span"]): boolean =>
  (pages[from.page]?.rows ?? [])
    .slice(from.row + 1, to.page === from.page ? to.row : undefined)
    .some((row) => discountWords(lexicon).test(textOfWords(row)))
