import type { Candidate } from "../layout/Candidate.ts"
import { textBefore, tokensOf } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
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

/** The most amounts of a document in which words before them are compared: a longer list is no receipt. */
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
