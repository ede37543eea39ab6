import { meaningsOf } from "../lexicon/CurrencyMarks.ts"
import type { Reading } from "../layout/Reading.ts"
import { currencyCodes } from "../lexicon/CurrencySigns.ts"
import { best, type Ranked, scored } from "./Ranked.ts"

/** `1 EUR = 0.92`, `EUR 1 = CHF 0.92`, `1 € = 25,10 Kč`: what one unit of a currency is worth. */
const rate =
  /(?<![\d.,])(?:1(?:[.,]0+)? ?([A-Z]{3}|\p{Sc})|([A-Z]{3}|\p{Sc}) ?1(?:[.,]0+)?) ?= ?(?:[A-Z]{3}|\p{Sc})? ?\d/u

const equivalent = 0.3

/** `Kurs 0.94`, `1.0638`: a rate has two decimals at least. */
const rateFigure = /^\d{1,4}[.,]\d{2,6}$/u

/** How far two sums may be from a rate that was rounded to two decimals. */
const ofRounding = 0.006

/** The code of the currency that the row of an amount names: `TOTAL EUR  30.43`. */
const codeBefore = (reading: Reading, { span }: Ranked): string | undefined =>
  (reading.pages[span.page]?.rows[span.row] ?? [])
    .slice(0, span.to + 1)
    .map(({ text }) => text.replace(/[^A-Z]/gu, ""))
    .find((text) => currencyCodes(reading.lexicon).has(text))

/** Whether one sum is another one by a rate that is printed below them. */
const isByRate = (reading: Reading, one: Ranked, other: Ranked): boolean => {
  const factor = Number(one.value) / Number(other.value)
  const below = (reading.pages[one.span.page]?.rows ?? []).slice(one.span.row).flat()
  return below.some(({ text }) => {
    const rate = rateFigure.test(text) ? Number(text.replace(",", ".")) : Number.NaN
    return Math.abs(rate - factor) < ofRounding || Math.abs(rate - 1 / factor) < ofRounding
  })
}

/** The same total in a second currency: `TOTAL CHF 28.60`, below it `TOTAL EUR 30.43` and `Kurs 0.94`. */
const isAgain = (reading: Reading, one: Ranked, ranked: ReadonlyArray<Ranked>): boolean => {
  const code = codeBefore(reading, one)
  return (
    code !== undefined &&
    ranked.some((other) => {
      const above = codeBefore(reading, other)
      const isAbove = other.span.page === one.span.page && other.span.row < one.span.row
      return isAbove && above !== undefined && above !== code && isByRate(reading, one, other)
    })
  )
}

/** The currencies whose worth a row states. */
const statedIn = (reading: Reading, page: number, row: number): ReadonlyArray<string> => {
  const text = (reading.pages[page]?.rows[row] ?? []).map((token) => token.text).join(" ")
  const [, before, behind] = rate.exec(text) ?? []
  return meaningsOf(before ?? behind ?? "")
}

/** The same sum in another currency, below the one in that of the document: `Total EUR 44.95 (1 EUR = 0.92)`. */
export const withoutEquivalents = (reading: Reading, ranked: ReadonlyArray<Ranked>): ReadonlyArray<Ranked> =>
  best(
    ranked
      .filter((one) => !isAgain(reading, one, ranked))
      .map((one) => {
        const { currency, span } = one
        if (currency === undefined) return one
        const isStated = [span.row, span.row + 1].some((row) =>
          statedIn(reading, span.page, row).includes(currency)
        )
        const above = ranked.some(
          (other) =>
            other.currency !== currency &&
            (other.features?.labelled ?? 0) === 1 &&
            (other.span.page < span.page || (other.span.page === span.page && other.span.row < span.row))
        )
        return isStated && above ? scored(one, equivalent * one.score) : one
      })
  )
