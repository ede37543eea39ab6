import { inCents } from "../../support/Cents.ts"
import { ofLexicon } from "../lexicon/Lexicon.ts"
import { wholeWords } from "../lexicon/WordPatterns.ts"
import { textBefore } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import { placeKey } from "../layout/Candidate.ts"
import { lastOfReceipt } from "./LastOfRows.ts"
import type { Ranked } from "./Ranked.ts"

const cashBackWords = ofLexicon((lexicon) => wholeWords(lexicon.words("cashBack")))

/** How many rows with amounts there are between a total, the cash that is paid out with it, and what the card is charged. */
const mostRows = 4

interface CashBack {
  /** What was bought, in cents. */
  readonly bought: ReadonlySet<number>
  /** What a card was charged for it and for the cash, in cents. */
  readonly charged: ReadonlySet<number>
  /** The places of the cash. */
  readonly places: ReadonlySet<string>
}

/** The cash that a till pays out: with the total above it, it is what the card is charged below it. */
const cashBackIn = (reading: Reading): CashBack => {
  const rows = lastOfReceipt(reading)
  const [bought, charged, places] = [new Set<number>(), new Set<number>(), new Set<string>()]
  const words = cashBackWords(reading.lexicon)
  for (const [at, cash] of rows.entries()) {
    if (cash.value <= 0 || !words.test(textBefore(reading.pages, cash.span))) continue
    const below = new Set(rows.slice(at + 1, at + 1 + mostRows).map(({ value }) => inCents(value)))
    for (const { value } of rows.slice(Math.max(0, at - mostRows), at)) {
      const sum = inCents(value) + inCents(cash.value)
      if (value <= 0 || !below.has(sum)) continue
      bought.add(inCents(value))
      charged.add(sum)
      places.add(placeKey(cash))
    }
  }
  return { bought, charged, places }
}

const known = new WeakMap<Reading, CashBack>()

const cashBackOf = (reading: Reading): CashBack => {
  const found = known.get(reading) ?? cashBackIn(reading)
  known.set(reading, found)
  return found
}

/** Whether an amount is what was bought, which a sum with cash back proves. */
export const isBoughtWithCashBack = (reading: Reading, { value }: Ranked): boolean =>
  cashBackOf(reading).bought.has(inCents(Number(value)))

/** The candidates without what a card was charged for the total and for cash back: nobody bought the cash. */
export const withoutCashBack = (reading: Reading, ranked: ReadonlyArray<Ranked>): ReadonlyArray<Ranked> => {
  const { charged } = cashBackOf(reading)
  return charged.size === 0 ? ranked : ranked.filter(({ value }) => !charged.has(inCents(Number(value))))
}

/** Whether an amount is cash back or the total above it, and thus no change. */
export const isCashBack = (reading: Reading, candidate: Ranked): boolean => {
  const { bought, charged, places } = cashBackOf(reading)
  const amount = inCents(Math.abs(Number(candidate.value)))
  return places.has(placeKey(candidate)) || bought.has(amount) || charged.has(amount)
}
