import { rowKey } from "./Candidate.ts"
import type { Candidate } from "./Candidate.ts"
import type { Reading } from "../page/Reading.ts"

/** What an amount is to the amounts near it. */
export interface AmountRole {
  /** It is the sum of two others near it: the whole. */
  readonly whole: boolean
  /** It is the greater part of such a sum. */
  readonly base: boolean
  /** It is the smaller part of such a sum. */
  readonly top: boolean
  /** It is the sum of all amounts above it in its column, two or more. */
  readonly ofColumn: boolean
}

const sure = 0.7
/** So many amounts at the end of a page are compared with each other, and rows that are so near. */
const mostAmounts = 60
const nearRows = 12

/** Amounts are compared without their signs: those of credit notes may have a minus. */
const cents = (value: number): number => Math.round(Math.abs(value) * 100)

const none: AmountRole = { whole: false, base: false, top: false, ofColumn: false }
const rights = ({ bbox }: Candidate): number => bbox.x + bbox.w

const sumsOfColumns = (amounts: ReadonlyArray<Candidate<number>>): ReadonlySet<Candidate<number>> => {
  const found = new Set<Candidate<number>>()
  for (const amount of amounts) {
    const above = amounts.filter(
      (other) =>
        other.span.page === amount.span.page &&
        other.span.row < amount.span.row &&
        Math.abs(rights(other) - rights(amount)) < 0.8 * amount.bbox.h
    )
    // The column may have sums of its own above: from the first amount down, some of them add up.
    let sum = 0
    for (const [at, { value }] of above.entries()) {
      sum += cents(value)
      if (at > 0 && Math.abs(sum - cents(amount.value)) <= 1) found.add(amount)
    }
  }
  return found
}

const keyOf = ({ span: { page, row, to }, value }: Candidate): string =>
  `${page}:${row}:${to}:${String(value)}`

const roles = new WeakMap<Reading, ReadonlyMap<string, AmountRole>>()

const make = (reading: Reading): ReadonlyMap<string, AmountRole> => {
  const found = new Map<string, AmountRole>()
  const mark = (amount: Candidate<number>, role: Partial<AmountRole>) =>
    found.set(keyOf(amount), { ...(found.get(keyOf(amount)) ?? none), ...role })
  const pages = Map.groupBy(
    reading.money.filter(({ quality, value }) => quality >= sure && value !== 0),
    ({ span }) => span.page
  )
  for (const all of pages.values()) {
    const amounts = all.slice(-mostAmounts)
    for (const amount of sumsOfColumns(amounts)) mark(amount, { ofColumn: true })
    const byCents = Map.groupBy(amounts, ({ value }) => cents(value))
    for (const [i, one] of amounts.entries())
      for (const two of amounts.slice(i + 1)) {
        if (two.span.row - one.span.row > nearRows || one.value === two.value) continue
        const sum = cents(one.value) + cents(two.value)
        const wholes = [sum, sum - 1, sum + 1].flatMap((value) => byCents.get(value) ?? [])
        const near = wholes.filter(
          ({ span }) =>
            span.row >= Math.min(one.span.row, two.span.row) && span.row - one.span.row <= nearRows
        )
        if (near.length === 0) continue
        const [base, top] = cents(one.value) > cents(two.value) ? [one, two] : [two, one]
        // No tax is more than half of what is taxed: other sums are chance, or the lines themselves.
        if (cents(top.value) > 0.5 * cents(base.value)) continue
        mark(base, { base: true })
        mark(top, { top: true })
        for (const whole of near) mark(whole, { whole: true })
      }
  }
  return found
}

/** What an amount is to the others of its page: which sums of two it takes part in, and whether it sums up its column. */
export const amountRole = (reading: Reading, amount: Candidate): AmountRole => {
  const known = roles.get(reading) ?? make(reading)
  roles.set(reading, known)
  return known.get(keyOf(amount)) ?? none
}

/** How many rows with amounts follow the row of a candidate on its page, to a most of 8. */
export const amountRowsBelow = (reading: Reading, { span }: Candidate): number => {
  const rows = reading.pages[span.page]?.rows.length ?? 0
  let count = 0
  for (let row = span.row + 1; row < rows && count < 8; row++)
    if ((reading.moneyByRow.get(rowKey(span.page, row)) ?? []).some(({ quality }) => quality >= sure)) count++
  return count
}
