import { meaningsOf } from "../lexicon/CurrencyMarks.ts"
import type { Reading } from "../page/Reading.ts"
import { best, type Ranked, scored } from "./Ranked.ts"

/** `1 EUR = 0.92`, `EUR 1 = CHF 0.92`, `1 € = 25,10 Kč`: what one unit of a currency is worth. */
const rate =
  /(?<![\d.,])(?:1(?:[.,]0+)? ?([A-Z]{3}|\p{Sc})|([A-Z]{3}|\p{Sc}) ?1(?:[.,]0+)?) ?= ?(?:[A-Z]{3}|\p{Sc})? ?\d/u

const equivalent = 0.3

/** The currencies whose worth a row states. */
const statedIn = (reading: Reading, page: number, row: number): ReadonlyArray<string> => {
  const text = (reading.pages[page]?.rows[row] ?? []).map((token) => token.text).join(" ")
  const [, before, behind] = rate.exec(text) ?? []
  return meaningsOf(before ?? behind ?? "")
}

/** The same sum in another currency, below the one in that of the document: `Total EUR 44.95 (1 EUR = 0.92)`. */
export const withoutEquivalents = (reading: Reading, ranked: ReadonlyArray<Ranked>): ReadonlyArray<Ranked> =>
  best(
    ranked.map((one) => {
      const { currency, span } = one
      if (currency === undefined) return one
      const isStated = [span.row, span.row + 1].some((row) =>
        statedIn(reading, span.page, row).includes(currency)
      )
      const above = ranked.some(
        (other) =>
          other.currency !== currency &&
          (other.features?.["labelled"] ?? 0) === 1 &&
          (other.span.page < span.page || (other.span.page === span.page && other.span.row < span.row))
      )
      return isStated && above ? scored(one, equivalent * one.score) : one
    })
  )
