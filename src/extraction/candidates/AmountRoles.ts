import { inCents } from "../../support/Cents.ts"
import { rowKey, type Candidate } from "../layout/Candidate.ts"
import type { Reading } from "../layout/Reading.ts"
import { textBefore, tokensOf } from "../layout/PageModel.ts"
import { ofLexicon } from "../lexicon/Lexicon.ts"
import { wholeWords } from "../lexicon/WordPatterns.ts"
import type { Ranked } from "./Ranked.ts"

const withCents = /[.,]\s?\d{2}\D*$/u
const usual = new WeakMap<Reading, boolean>()

/** Whether most amounts of a document are printed with cents: a number without them is rather none. */
const centsAreUsual = (reading: Reading): boolean => {
  const known = usual.get(reading)
  if (known !== undefined) return known
  const amounts = reading.money.filter(({ quality }) => quality >= 0.7)
  const are = 2 * amounts.filter(({ text }) => withCents.test(text)).length > amounts.length
  usual.set(reading, are)
  return are
}

/** Whether an amount is printed without cents where most have them. */
export const isUnusual = (reading: Reading, { text }: Candidate): boolean =>
  centsAreUsual(reading) && !withCents.test(text)

/** Words before amounts are compared in documents with at most so many amounts. */
export const mostAmounts = 1_000

const cashWords = ofLexicon((lexicon) => wholeWords(lexicon.words("cash")))
const greatest = new WeakMap<Reading, number>()

/**
 * The greatest amount of a document, except cash that was handed over. Where amounts have cents, a number without them does not
 * count.
 */
export const greatestAmount = (reading: Reading): number => {
  const known = greatest.get(reading)
  if (known !== undefined) return known
  let most = 0
  for (const amount of reading.money) {
    if (amount.quality < 0.7 || Math.abs(amount.value) <= most || isUnusual(reading, amount)) continue
    const before = reading.money.length > mostAmounts ? "" : textBefore(reading.pages, amount.span)
    if (!cashWords(reading.lexicon).test(before)) most = Math.abs(amount.value)
  }
  greatest.set(reading, most)
  return most
}

/** Whether recognition may have lost the decimal point of an amount: others have cents, and 7125 was 71.25. */
export const lostPoint = (reading: Reading, candidate: Candidate): boolean =>
  isUnusual(reading, candidate) &&
  tokensOf(reading.pages, candidate.span).some(({ confidence }) => confidence !== undefined)

/** Three to six figures: a total of 1.00 to 9,999.99 without its point. */
const figuresOfTotal = /^\D*[1-9]\d{2,5}\D*$/u

/** A total, divided by 100 where recognition may have lost its decimal point. */
export const withPoint = <A extends Ranked<number>>(reading: Reading, chosen: A): A =>
  lostPoint(reading, chosen) && figuresOfTotal.test(chosen.text)
    ? { ...chosen, value: chosen.value / 100, computed: true }
    : chosen

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
/** The number of amounts at the end of a page that are compared with each other, and the distance of their rows. */
const mostCompared = 60
const nearRows = 12

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
      sum += Math.abs(inCents(value))
      if (at > 0 && Math.abs(sum - Math.abs(inCents(amount.value))) <= 1) found.add(amount)
    }
  }
  return found
}

const keyOf = ({ span: { page, row, to }, value }: Candidate): string =>
  `${page}:${row}:${to}:${String(value)}`

const roles = new WeakMap<Reading, ReadonlyMap<string, AmountRole>>()

/** A greater part, one or two smaller ones on top of it, and what they come to. */
interface Sum {
  readonly base: Candidate<number>
  readonly tops: ReadonlyArray<Candidate<number>>
  readonly whole: Candidate<number>
}

/** No tax is more than half of what is taxed: other sums are chance, or the lines themselves. */
const mostOnTop = 0.5

/** The totals near two parts of them: below them, or anywhere near where the parts are in one row, as in a tax summary. */
const isNear = (one: Candidate, two: Candidate, { span }: Candidate): boolean => {
  const first = Math.min(one.span.row, two.span.row)
  const sameRow = one.span.row === two.span.row
  return span.row >= (sameRow ? first - nearRows : first) && span.row - one.span.row <= nearRows
}

type ByCents = ReadonlyMap<number, ReadonlyArray<Candidate<number>>>

/** The amounts that a sum may be printed as: to the cent, to five cents, or without cents. */
const about = (byCents: ByCents, sum: number) =>
  [...new Set([sum, sum - 1, sum + 1, 5 * Math.round(sum / 5), 100 * Math.round(sum / 100)])].flatMap(
    (value) => byCents.get(value) ?? []
  )

const items = new WeakMap<Reading, ReadonlySet<string>>()

/**
 * The rows whose amount is printed twice, in the currency of the price and of the document or with nothing multiplied, if
 * one is under the other: lines as well. A row with 0.00 is rather a net amount, its tax and their sum.
 */
const repeatedRows = ({ moneyByRow }: Reading): ReadonlyArray<string> => {
  const repeats = (key: string): boolean => {
    const amounts = (moneyByRow.get(key) ?? []).filter(({ quality }) => quality >= sure)
    const last = amounts.at(-1)
    return (
      amounts.slice(0, -1).some(({ value }) => value === last?.value) &&
      amounts.every(({ value }) => value !== 0)
    )
  }
  return [...moneyByRow].flatMap(([key, [first]]) => {
    if (first === undefined || !repeats(key)) return []
    const { page, row } = first.span
    return repeats(rowKey(page, row - 1)) || repeats(rowKey(page, row + 1)) ? [key] : []
  })
}

/** The rows whose last amount is the product of two figures before it, by their keys: lines of the document, and no sums. */
const itemRows = (reading: Reading): ReadonlySet<string> => {
  const known = items.get(reading)
  if (known !== undefined) return known
  const found = new Set(repeatedRows(reading))
  for (const [key, row] of reading.moneyByRow) {
    const values = row.slice(-5).map(({ value }) => Math.abs(value))
    const proven = values.some((one, i) =>
      values.some(
        (two, j) =>
          j > i &&
          one > 0 &&
          two > 0 &&
          values.slice(j + 1).some((three) => Math.abs(one * two - three) <= 0.006 + 0.0005 * three)
      )
    )
    if (proven) found.add(key)
  }
  items.set(reading, found)
  return found
}

/**
 * Whether an amount is in one line of several of the document, whose quantity times price is its amount: that of the only line is
 * what all of them come to.
 */
export const isOfItem = (reading: Reading, { span }: Candidate): boolean =>
  itemRows(reading).size > 1 && itemRows(reading).has(rowKey(span.page, span.row))

const sumsOfTwo = (amounts: ReadonlyArray<Candidate<number>>, byCents: ByCents): ReadonlyArray<Sum> =>
  amounts.flatMap((one, i) =>
    amounts.slice(i + 1).flatMap((two): ReadonlyArray<Sum> => {
      if (two.span.row - one.span.row > nearRows || one.value === two.value) return []
      // What is taken off makes no greater sum.
      if (one.value < 0 !== two.value < 0) return []
      const [base, top] =
        Math.abs(inCents(one.value)) > Math.abs(inCents(two.value)) ? [one, two] : [two, one]
      if (Math.abs(inCents(top.value)) > mostOnTop * Math.abs(inCents(base.value))) return []
      return (
        about(byCents, Math.abs(inCents(one.value)) + Math.abs(inCents(two.value)))
          // A rounding of a cent makes no sum of an amount and itself.
          .filter((whole) => whole !== one && whole !== two && isNear(one, two, whole))
          .filter((whole) => whole.value < 0 === one.value < 0)
          .map((whole) => ({ base, tops: [top], whole }))
      )
    })
  )

const isUnder = (upper: Candidate, lower: Candidate): boolean =>
  lower.span.row > upper.span.row &&
  lower.span.row - upper.span.row <= 2 &&
  Math.abs(rights(lower) - rights(upper)) < 2 * lower.bbox.h

/** Two taxes one under the other: `GST 74.00`, `QST 147.63`, between what is taxed and the total. */
const sumsOfThree = (amounts: ReadonlyArray<Candidate<number>>, byCents: ByCents): ReadonlyArray<Sum> =>
  amounts.flatMap((base) =>
    amounts
      .filter((top) => isUnder(base, top))
      .flatMap((first) =>
        amounts
          .filter((second) => isUnder(first, second))
          .flatMap((second): ReadonlyArray<Sum> => {
            const tax = Math.abs(inCents(first.value)) + Math.abs(inCents(second.value))
            if (tax > mostOnTop * Math.abs(inCents(base.value))) return []
            return about(byCents, Math.abs(inCents(base.value)) + tax)
              .filter((whole) => isUnder(second, whole))
              .map((whole) => ({ base, tops: [first, second], whole }))
          })
      )
  )

const make = (reading: Reading): ReadonlyMap<string, AmountRole> => {
  const found = new Map<string, AmountRole>()
  const mark = (amount: Candidate<number>, role: Partial<AmountRole>) =>
    found.set(keyOf(amount), { ...(found.get(keyOf(amount)) ?? none), ...role })
  const pages = Map.groupBy(
    reading.money.filter(({ quality, value }) => quality >= sure && value !== 0),
    ({ span }) => span.page
  )
  for (const all of pages.values()) {
    const amounts = all.slice(-mostCompared)
    for (const amount of sumsOfColumns(amounts)) mark(amount, { ofColumn: true })
    const byCents = Map.groupBy(amounts, ({ value }) => Math.abs(inCents(value)))
    const parts = amounts.filter((amount) => !isOfItem(reading, amount))
    const sums = [...sumsOfTwo(parts, byCents), ...sumsOfThree(parts, byCents)]
    const bases = new Set(sums.map(({ base }) => Math.abs(inCents(base.value))))
    for (const { base, tops, whole } of sums) {
      // Two lines add up to what is taxed, which with its tax adds up to the total.
      if (bases.has(Math.abs(inCents(whole.value)))) continue
      mark(base, { base: true })
      for (const top of tops) mark(top, { top: true })
      mark(whole, { whole: true })
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
