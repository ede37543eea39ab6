import type { Reading } from "../layout/Reading.ts"

const percentages = new WeakMap<Reading, ReadonlyArray<number>>()

const percent = /(\d{1,2}(?:[.,]\d{1,3})?)\s?[%٪％]|[%٪％]\s?(\d{1,2}(?:[.,]\d{1,3})?)/gu

/** Documents print a few rates. Among more, some fit by chance, and comparing all of them takes long. */
const mostRates = 20

/** The percentages that a document prints, once each; none if there are too many. */
export const percentagesOf = (reading: Reading): ReadonlyArray<number> => {
  const known = percentages.get(reading)
  if (known !== undefined) return known
  const found = new Set(
    [...reading.text.matchAll(percent)].map(([, one = "", two = ""]) =>
      Number((one || two).replace(",", "."))
    )
  )
  const positive = [...found].filter((rate) => rate > 0)
  const rates = positive.length > mostRates ? [] : positive
  percentages.set(reading, rates)
  return rates
}
