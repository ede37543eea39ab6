import { inCents } from "../../support/Cents.ts"
import { greatestAmount } from "../candidates/AmountRoles.ts"
import type { Field } from "../lexicon/Field.ts"
import type { Reading } from "../layout/Reading.ts"
import { percentsIn } from "../values/Numbers.ts"

const percentages = new WeakMap<Reading, ReadonlyArray<number>>()

/** Documents print a few rates. Among more, some fit by chance, and comparing all of them takes long. */
const mostRates = 20

/** The percentages that a document prints, once each; none if there are too many. */
const percentagesOf = (reading: Reading): ReadonlyArray<number> => {
  const known = percentages.get(reading)
  if (known !== undefined) return known
  const found = [...new Set(percentsIn(reading.text))].filter((rate) => rate > 0)
  const rates = found.length > mostRates ? [] : found
  percentages.set(reading, rates)
  return rates
}

/** Documents print hundreds of amounts. Among more, some fit by chance, and comparing all of them takes long. */
const mostAmounts = 2_000

const isAbout = (one: number, two: number): boolean => Math.abs(one - two) <= 0.011 + 0.00002 * Math.abs(two)

/**
 * Whether a printed percentage leads from one printed amount to another in the way that the field says: a tax from its base, a
 * base to its tax, a total to the tax that it contains.
 */
export const isByRate = (reading: Reading, field: Field, value: number): boolean => {
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

/** A total with the tax and the base that it consists of. */
interface RatedSum {
  readonly base: number
  readonly tax: number
}

const ratedSums = new WeakMap<Reading, ReadonlyArray<RatedSum>>()

/** The pairs of printed amounts that add up to the greatest one, the smaller being a printed percentage of the other. */
const ratedSumsOf = (reading: Reading): ReadonlyArray<RatedSum> => {
  const known = ratedSums.get(reading)
  if (known !== undefined) return known
  const greatest = greatestAmount(reading)
  const amounts = new Set(reading.money.map(({ value }) => inCents(Math.abs(value))))
  const printed = amounts.size > mostAmounts ? [] : [...amounts]
  const sums = printed.flatMap((amount): ReadonlyArray<RatedSum> => {
    const [base, tax] = [amount / 100, (inCents(greatest) - amount) / 100]
    const isRated =
      tax > 0 &&
      amounts.has(inCents(tax)) &&
      percentagesOf(reading).some((rate) => isAbout((base * rate) / 100, tax))
    return isRated ? [{ base, tax }] : []
  })
  ratedSums.set(reading, sums)
  return sums
}

/**
 * Whether an amount has its part in the greatest printed sum of a base and its tax at a printed rate. A row of a tax breakdown
 * is such a sum as well, but not the greatest amount.
 */
export const isInGreatestSum = (reading: Reading, field: Field, value: number): boolean => {
  const own = Math.abs(value)
  return ratedSumsOf(reading).some(({ base, tax }) =>
    field.adds ? isAbout(tax, own) : isAbout(base, own) || isAbout(base + tax, own)
  )
}
