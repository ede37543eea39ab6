import { inCents } from "../../support/Cents.ts"
import type { Ranked } from "../candidates/Ranked.ts"
import type { Field } from "../lexicon/Field.ts"
import { kindOfReading } from "../kinds/KindOfReading.ts"
import type { Reading } from "../layout/Reading.ts"
import { percentagesOf } from "./Percentages.ts"

/** Among more amounts, some fit by chance; more sums than these are no before, after and difference. */
const mostAmounts = 500
const mostSums = 50

/** A printed sum of a printed base and its tax at a printed rate, in cents. */
interface RatedSum {
  readonly base: number
  readonly tax: number
  readonly total: number
}

const ratedSumsOf = (reading: Reading): ReadonlyArray<RatedSum> => {
  const amounts = new Set(
    reading.money.map(({ value }) => Math.abs(inCents(value))).filter((amount) => amount > 0)
  )
  if (amounts.size > mostAmounts) return []
  const rates = percentagesOf(reading)
  return [...amounts].flatMap((base) =>
    rates.flatMap((rate): ReadonlyArray<RatedSum> => {
      const tax = Math.round((base * rate) / 100)
      return tax > 0 && amounts.has(tax) && amounts.has(base + tax) ? [{ base, tax, total: base + tax }] : []
    })
  )
}

/** The sums before and after a correction, and their difference. */
interface Correction {
  readonly states: readonly [RatedSum, RatedSum]
  readonly difference: RatedSum
}

const printedTotals = (reading: Reading, sum: RatedSum) =>
  reading.money.filter(({ value }) => Math.abs(inCents(value)) === sum.total)

/** Where a total is printed first, as the number of amounts before it. */
const placeOf = (reading: Reading, sum: RatedSum): number =>
  reading.money.findIndex(({ value }) => Math.abs(inCents(value)) === sum.total)

/** Which of two parts of a sum is the difference: the only one that is printed with a minus, or the one that is printed later. */
const differenceOf = (reading: Reading, one: RatedSum, other: RatedSum): RatedSum => {
  const isNegative = (sum: RatedSum) => printedTotals(reading, sum).some(({ value }) => value < 0)
  if (isNegative(one) !== isNegative(other)) return isNegative(one) ? one : other
  return placeOf(reading, one) > placeOf(reading, other) ? one : other
}

const find = (reading: Reading): Correction | undefined => {
  const sums = ratedSumsOf(reading)
  if (sums.length < 3 || sums.length > mostSums) return undefined
  for (const before of sums)
    for (const one of sums) {
      const other = sums.find(
        ({ base, total }) => base + one.base === before.base && total + one.total === before.total
      )
      if (other === undefined || other.total === one.total) continue
      // The sum of two groups is printed below them.
      const isFirst = placeOf(reading, before) < Math.min(placeOf(reading, one), placeOf(reading, other))
      if (!isFirst || kindOfReading(reading).kind !== "credit-note") continue
      const difference = differenceOf(reading, one, other)
      return { states: [before, difference === one ? other : one], difference }
    }
  return undefined
}

const known = new WeakMap<Reading, { readonly found: Correction | undefined }>()

const correctionOf = (reading: Reading): Correction | undefined => {
  const { found } = known.get(reading) ?? { found: find(reading) }
  known.set(reading, { found })
  return found
}

/**
 * Whether a credit note prints the sums before and after a correction and their difference. Each of the three is a base with its
 * tax, so that no sum proves which one the document is about.
 */
export const isCorrection = (reading: Reading): boolean => correctionOf(reading) !== undefined

const amountsOf = ({ base, tax, total }: RatedSum): ReadonlyArray<number> => [base, tax, total]

/** The candidates for a sum of a credit note, without the sums before and after a correction: it is about their difference. */
export const withoutCorrectedSums = (
  reading: Reading,
  { pointOfSale, type, unsigned }: Field,
  candidates: ReadonlyArray<Ranked>
): ReadonlyArray<Ranked> => {
  if (type !== "money" || !unsigned || pointOfSale) return candidates
  const correction = correctionOf(reading)
  if (correction === undefined) return candidates
  const kept = new Set(amountsOf(correction.difference))
  const states = new Set(correction.states.flatMap(amountsOf))
  return candidates.filter(({ value }) => {
    const amount = Math.abs(inCents(Number(value)))
    return kept.has(amount) || !states.has(amount)
  })
}
