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

const cashWords = ofLexicon((lexicon) => wholeWords(lexicon.words("cash")))
const greatest = new WeakMap<Reading, number>()

/** The greatest amount of a document, cash handed over aside; where amounts have cents, numbers without them are none. */
export const greatestAmount = (reading: Reading): number => {
  const known = greatest.get(reading)
  if (known !== undefined) return known
  const isCash = ({ span }: Candidate) => cashWords(reading.lexicon).test(textBefore(reading.pages, span))
  let most = 0
  for (const amount of reading.money)
    if (
      amount.quality >= 0.7 &&
      Math.abs(amount.value) > most &&
      !isUnusual(reading, amount) &&
      !isCash(amount)
    )
      most = Math.abs(amount.value)
  greatest.set(reading, most)
  return most
}

/** A recognised amount without cents, where others have them, may have lost its point: 7125 was 71.25. */
export const lostPoint = (reading: Reading, candidate: Candidate): boolean =>
  isUnusual(reading, candidate) &&
  tokensOf(reading.pages, candidate.span).some(({ confidence }) => confidence !== undefined)

const figuresOfTotal = /^\D*[1-9]\d{2,5}\D*$/u

/** A total with the point that recognition lost. */
export const withPoint = <A extends Ranked<number>>(reading: Reading, chosen: A): A =>
  lostPoint(reading, chosen) && figuresOfTotal.test(chosen.text)
    ? { ...chosen, value: chosen.value / 100, computed: true }
    : chosen
