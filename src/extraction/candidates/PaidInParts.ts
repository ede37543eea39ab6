import { inCents } from "../../support/Cents.ts"
import { ofLexicon } from "../lexicon/Lexicon.ts"
import { wholeWords } from "../lexicon/WordPatterns.ts"
import { textBefore } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import { type Candidate, rowKey } from "../layout/Candidate.ts"
import { lastOfReceipt } from "./LastOfRows.ts"
import { isInRowOfLabel, type Ranked } from "./Ranked.ts"

const tipWords = ofLexicon((lexicon) => wholeWords(lexicon.words("tip")))
const discountWords = ofLexicon((lexicon) => wholeWords(lexicon.words("discount")))

/** How many payments a total has, and how many rows with amounts there are between a bill, its tip and the sum. */
const mostBelow = 4

/** What an amount adds to the bill above it, in cents: a tip, or less than nothing for a discount; 0 for any other amount. */
const addedBy = (reading: Reading, { span, value }: Candidate<number>): number => {
  const before = textBefore(reading.pages, span)
  if (tipWords(reading.lexicon).test(before)) return Math.max(0, inCents(value))
  return discountWords(reading.lexicon).test(before) ? -Math.abs(inCents(value)) : 0
}

/**
 * The bills to which a tip was added, or from which a discount was taken, in cents, each with the sum that is printed below it.
 * Suggestions of several tips lead from one bill to several sums, of which nobody paid any.
 */
const corrected = (reading: Reading): ReadonlyMap<number, number> => {
  const rows = lastOfReceipt(reading)
  const sums = new Map<number, Set<number>>()
  for (const [at, amount] of rows.entries()) {
    const added = addedBy(reading, amount)
    if (added === 0) continue
    const above = rows.slice(Math.max(0, at - mostBelow), at)
    for (const { value } of rows.slice(at + 1, at + 1 + mostBelow)) {
      const bill = inCents(value) - added
      if (bill > Math.abs(added) && value > 0 && above.some((one) => inCents(one.value) === bill))
        sums.set(bill, (sums.get(bill) ?? new Set()).add(inCents(value)))
    }
  }
  return new Map(
    [...sums].flatMap(([bill, [paid = 0, ...others]]) => (others.length === 0 ? [[bill, paid] as const] : []))
  )
}

const valueOf = ({ value }: Ranked): number => inCents(Number(value))

/**
 * Whether an amount is in a row with a percentage below a total, and is that total with a tip which is only suggested: `25 % = 9.38 total
 * 50.26` below a bill that was paid with another tip, `22% $11.88 Total $70.06` below one that was paid without.
 */
const isSuggested = (
  { moneyByRow, pages }: Reading,
  one: Ranked,
  paid: ReadonlyArray<Ranked>,
  labelled: ReadonlyArray<Ranked>
): boolean => {
  const { page, row } = one.span
  if (!(pages[page]?.rows[row] ?? []).some(({ text }) => text.includes("%"))) return false
  const isAbove = ({ span }: Ranked) => span.page === page && span.row < row
  const inRow = moneyByRow.get(rowKey(page, row)) ?? []
  return (
    paid.some(isAbove) ||
    labelled.some(
      (total) => isAbove(total) && inRow.some(({ value }) => inCents(value) === valueOf(one) - valueOf(total))
    )
  )
}

/** A total that is in a sum of printed amounts which no relation of the flow has: the bill with the tip. */
const inSum = (total: Ranked): Ranked => ({ ...total, features: { ...total.features, inSum: 1 } })

/**
 * The candidates for the total of a receipt, without the bill before a tip or a discount, and without sums with a tip that is only
 * suggested.
 */
export const withoutPartsOfTotal = (
  reading: Reading,
  ranked: ReadonlyArray<Ranked>
): ReadonlyArray<Ranked> => {
  const bills = corrected(reading)
  const sums = new Set(bills.values())
  const isSum = (one: Ranked) => sums.has(valueOf(one))
  const paid = ranked.filter((one) => sums.has(valueOf(one)))
  const labelled = ranked.filter((one) => isInRowOfLabel(one) && !bills.has(valueOf(one)))
  return ranked
    .filter((one) => !bills.has(valueOf(one)) && (isSum(one) || !isSuggested(reading, one, paid, labelled)))
    .map((one) => (isSum(one) ? inSum(one) : one))
}
