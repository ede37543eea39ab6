import { inCents } from "../../support/Cents.ts"
import { ofLexicon } from "../lexicon/Lexicon.ts"
import { wholeWords } from "../lexicon/WordPatterns.ts"
import { textBefore } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import type { Field } from "../lexicon/Field.ts"
import { type Candidate, placeKey } from "../layout/Candidate.ts"
import { withoutPartsOfTotal } from "./PaidInParts.ts"
import { isLabelled, type Ranked, scored } from "./Ranked.ts"

const cashWords = ofLexicon((lexicon) => wholeWords(lexicon.words("cash")))
const changeWords = ofLexicon((lexicon) => wholeWords(lexicon.words("change")))

/** A till prints few amounts; in a long list, cash is not looked for. */
const mostAmounts = 500

/** The amounts behind words of a kind in their row. */
const behind = (reading: Reading, words: RegExp): ReadonlyArray<Candidate<number>> =>
  reading.money.filter(({ span }) => words.test(textBefore(reading.pages, span)))

/** The first row of each page that has an amount, by the page and the amount in cents. */
const firstRows = (money: ReadonlyArray<Candidate<number>>): ReadonlyMap<string, number> => {
  const rows = new Map<string, number>()
  for (const { span, value } of money) {
    const key = `${span.page}:${Math.abs(inCents(value))}`
    rows.set(key, Math.min(span.row, rows.get(key) ?? span.row))
  }
  return rows
}

interface Tender {
  /** The places of the cash that was handed over and of the change. */
  readonly places: ReadonlySet<string>
  /** What was paid, in cents: the differences of the two. */
  readonly paid: ReadonlySet<number>
}

/**
 * The cash that was handed over and the change, where they differ by an amount that is printed above them: neither is a sum of
 * what was bought, although the cash is the greatest amount and the change what a tax could be.
 */
const tenderIn = (reading: Reading): Tender => {
  const places = new Set<string>()
  const sums = new Set<number>()
  const tender = { places, paid: sums }
  if (reading.money.length > mostAmounts) return tender
  const handed = behind(reading, cashWords(reading.lexicon))
  if (handed.length === 0) return tender
  const rows = firstRows(reading.money)
  for (const change of behind(reading, changeWords(reading.lexicon))) {
    for (const cash of handed) {
      const paid = Math.abs(inCents(cash.value)) - Math.abs(inCents(change.value))
      const row = rows.get(`${cash.span.page}:${paid}`) ?? cash.span.row
      if (paid <= 0 || row >= cash.span.row) continue
      places.add(placeKey(cash)).add(placeKey(change))
      sums.add(paid)
    }
  }
  return tender
}

const known = new WeakMap<Reading, Tender>()

const tenderOf = (reading: Reading): Tender => {
  const tender = known.get(reading) ?? tenderIn(reading)
  known.set(reading, tender)
  return tender
}

/** The candidates for a sum of what was bought, without the cash that was handed over for it and the change. */
export const withoutTendered = <A extends Candidate>(
  reading: Reading,
  candidates: ReadonlyArray<A>
): ReadonlyArray<A> => {
  const { places } = tenderOf(reading)
  return places.size === 0 ? candidates : candidates.filter((candidate) => !places.has(placeKey(candidate)))
}

/** The score of a total that cash and change prove. */
const proven = 0.85

/**
 * The totals that a label names, where one of them is what was paid: cash and change prove it, and without a label the others are
 * a row of the taxes, or the sum before a discount.
 */
const provenByCash = (reading: Reading, ranked: ReadonlyArray<Ranked>): ReadonlyArray<Ranked> => {
  const { paid } = tenderOf(reading)
  const isPaid = (one: Ranked) => isLabelled(one) && paid.has(Math.abs(inCents(Number(one.value))))
  if (paid.size === 0 || !ranked.some(isPaid)) return ranked
  const labelled = ranked.filter(isLabelled)
  return labelled.map((one) => (isPaid(one) ? scored(one, Math.max(proven, one.score)) : one))
}

/** What a customer hands over and gets back: the presets of these are no sums of what was bought. */
const tenders: ReadonlySet<string | undefined> = new Set(["receipt.cash", "receipt.change"])

/**
 * The candidates for a field's value: for a sum of what was bought, without cash and change; for these themselves, without
 * the minus that some tills print before the change.
 */
export const ofWhatWasBought = (
  reading: Reading,
  { pointOfSale, preset, type }: Field,
  candidates: ReadonlyArray<Ranked>
): ReadonlyArray<Ranked> => {
  if (type !== "money" || preset === undefined) return candidates
  if (!tenders.has(preset)) {
    const bought = withoutTendered(reading, candidates)
    if (pointOfSale) return withoutPartsOfTotal(reading, bought)
    return preset === "invoice.totalAmount" ? provenByCash(reading, bought) : bought
  }
  return candidates.map((found) => ({ ...found, value: Math.abs(Number(found.value)) }))
}
