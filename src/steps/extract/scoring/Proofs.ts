import type { Ranked } from "../candidates/Ranked.ts"
import type { Field } from "../Field.ts"
import type { Reading } from "../page/Reading.ts"
import type { Features } from "./Scoring.ts"

/** From which product of match and weight a label is one of the field's own, as the lexicon has it. */
const ownLabel = 0.9

const labelOf = ({ features = {} }: Ranked): number =>
  (features["labelQuality"] ?? 0) * (features["labelWeight"] ?? 0)

const percentages = new WeakMap<Reading, ReadonlyArray<number>>()

const percent = /(\d{1,2}(?:[.,]\d{1,3})?)\s?[%٪％]|[%٪％]\s?(\d{1,2}(?:[.,]\d{1,3})?)/gu

/** Documents print a few rates and hundreds of amounts. Among more, some fit by chance, and comparing all of them takes long. */
const mostRates = 20
const mostAmounts = 2_000

/** The percentages that a document prints, once each; none if there are too many. */
const percentagesOf = (reading: Reading): ReadonlyArray<number> => {
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

const isAbout = (one: number, two: number): boolean => Math.abs(one - two) <= 0.011 + 0.00002 * Math.abs(two)

/**
 * Whether a printed percentage leads from one printed amount to another in the way that the field says: a tax from its base, a
 * base to its tax, a total to the tax that it contains.
 */
const isByRate = (reading: Reading, field: Field, value: number): boolean => {
  const amounts = new Set(reading.money.map((amount) => Math.abs(amount.value)))
  const printed = amounts.size > mostAmounts ? [] : [...amounts].filter((amount) => amount > 0)
  const own = Math.abs(value)
  return percentagesOf(reading).some((rate) =>
    printed.some((amount) =>
      field.adds
        ? isAbout((amount * rate) / 100, own) || isAbout((amount * rate) / (100 + rate), own)
        : amount < own &&
          (isAbout((own * rate) / 100, amount) || isAbout((own * rate) / (100 + rate), amount))
    )
  )
}

const namedFields = new WeakMap<Reading, number>()

/** How many fields have a label of their own, exactly as the lexicon has it, somewhere in the document. */
const labelsKnown = (reading: Reading): number => {
  const known = namedFields.get(reading)
  if (known !== undefined) return known
  const fields = new Set(
    reading.labels
      .filter(({ label, quality }) => label.names && quality * label.weight >= ownLabel)
      .map(({ label }) => label.field)
  )
  namedFields.set(reading, fields.size)
  return fields.size
}

/** What supports a value independently of its score, and what other values have as much support. */
export const proofs = (
  reading: Reading,
  field: Field,
  chosen: Ranked,
  others: ReadonlyArray<Ranked>
): Features => ({
  ownLabel: labelOf(chosen) >= ownLabel ? 1 : 0,
  rivalLabel: others.some((other) => labelOf(other) >= ownLabel) ? 1 : 0,
  byRate: typeof chosen.value === "number" && isByRate(reading, field, chosen.value) ? 1 : 0,
  labelsKnown: Math.min(8, labelsKnown(reading)),
  negative: field.unsigned && Number(chosen.value) < 0 ? 1 : 0
})
