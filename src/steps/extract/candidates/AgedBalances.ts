import type { PageModel, Token } from "../page/PageModel.ts"
import type { Candidate } from "./Candidate.ts"

/** Words for days behind their number, in the headings of a strip of balances by age. */
const days =
  /^(?:days?|tage?n?|jours|días|dias|giorni|dagen|dagar|dager|dage|dni|dní|nap|zile|päivää|gün)\.?$/iu
const age = /^(?:>|\+)?\s?\d{1,3}\+?(?:[-–]\d{1,3})?$/u
const fewestAges = 2
const rowsAbove = 2
/** What an amount in such a strip counts: it is one of an account, not of the document. */
const share = 0.3

/** `30 Days`, `120+ Days`, `0-30 days`. */
const agesIn = (row: ReadonlyArray<Token>): number =>
  row.filter(({ text }, at) => days.test(text) && age.test(row[at - 1]?.text ?? "")).length

const isAged = (page: PageModel, row: number): boolean =>
  Array.from({ length: rowsAbove }, (_, i) => page.rows[row - i - 1] ?? []).some(
    (above) => agesIn(above) >= fewestAges
  )

/**
 * Amounts of which those count little that are in a strip of balances by age, as statements and some invoices have it: `30 Days`,
 * `60 Days`, `Current`, `Account balance`. They add up to what is owed on the account, not to the total of the document.
 */
export const withoutAgedBalances = (
  pages: ReadonlyArray<PageModel>,
  money: ReadonlyArray<Candidate<number>>
): ReadonlyArray<Candidate<number>> =>
  money.map((amount) => {
    const page = pages[amount.span.page]
    return page !== undefined && isAged(page, amount.span.row)
      ? { ...amount, quality: share * amount.quality }
      : amount
  })
