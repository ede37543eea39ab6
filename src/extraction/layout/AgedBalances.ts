import { type Lexicon, ofLexicon } from "../lexicon/Lexicon.ts"
import type { PageModel, Token } from "./PageModel.ts"
import type { Candidate } from "./Candidate.ts"

/** Words for days behind their number, in the headings of a strip of balances by age. */
const daysOf = ofLexicon(
  (lexicon): ReadonlySet<string> => new Set(lexicon.words("days").map(lexicon.foldLabel))
)
const age = /^(?:>|\+)?\s?\d{1,3}\+?(?:[-–]\d{1,3})?$/u
const fewestAges = 2
const rowsBelow = 2
/** What an amount in such a strip counts: it is one of an account, not of the document. */
const share = 0.3

/** `30 Days`, `120+ Days`, `0-30 days`. */
const agesIn = (row: ReadonlyArray<Token>, days: ReadonlySet<string>): number =>
  row.filter(({ folded }, at) => days.has(folded) && age.test(row[at - 1]?.text ?? "")).length

/** The rows of a page that are right below such headings. */
const agedRows = ({ rows }: PageModel, days: ReadonlySet<string>): ReadonlySet<number> =>
  new Set(
    rows.flatMap((row, at) =>
      agesIn(row, days) < fewestAges ? [] : Array.from({ length: rowsBelow }, (_, i) => at + i + 1)
    )
  )

/**
 * Amounts of which those count little that are in a strip of balances by age, as statements and some invoices have it: `30 Days`,
 * `60 Days`, `Current`, `Account balance`. They add up to what is owed on the account, not to the total of the document.
 */
export const withoutAgedBalances = (
  pages: ReadonlyArray<PageModel>,
  lexicon: Lexicon,
  money: ReadonlyArray<Candidate<number>>
): ReadonlyArray<Candidate<number>> => {
  const days = daysOf(lexicon)
  const aged = pages.map((page) => agedRows(page, days))
  return money.map((amount) =>
    aged[amount.span.page]?.has(amount.span.row) === true
      ? { ...amount, quality: share * amount.quality }
      : amount
  )
}
