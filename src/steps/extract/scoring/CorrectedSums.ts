import type { Ranked } from "../candidates/Ranked.ts"
import type { Field } from "../Field.ts"
import type { Reading } from "../page/Reading.ts"
import { speaksOfCreditNote } from "../relations/CreditNote.ts"
import { percentagesOf } from "./Percentages.ts"

/** Among more amounts, some fit by chance. */
const mostAmounts = 500

const cents = (amount: number): number => Math.round(Math.abs(amount) * 100)

/** A printed sum of a printed base and its tax at a printed rate, in cents. */
interface RatedSum {
  readonly base: number
  readonly tax: number
  readonly total: number
}

const ratedSumsOf = (reading: Reading): ReadonlyArray<RatedSum> => {
  const amounts = new Set(reading.money.map(({ value }) => cents(value)).filter((amount) => amount > 0))
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

/** Which of two parts of a sum is the difference: the only one that is printed with a minus, or the one that is printed last. */
const differenceOf = (reading: Reading, one: RatedSum, other: RatedSum): RatedSum => {
  const printed = (sum: RatedSum) => reading.money.filter(({ value }) => cents(value) === sum.total)
  const isNegative = (sum: RatedSum) => printed(sum).some(({ value }) => value < 0)
  if (isNegative(one) !== isNegative(other)) return isNegative(one) ? one : other
  const placeOf = (sum: RatedSum) => {
    const { page = 0, row = 0, from = 0 } = printed(sum).at(-1)?.span ?? {}
    return [page, row, from] as const
  }
  const [a, b] = [placeOf(one), placeOf(other)]
  const differing = a.findIndex((part, at) => part !== b[at])
  return (a[differing] ?? 0) > (b[differing] ?? 0) ? one : other
}

const find = (reading: Reading): Correction | undefined => {
  if (!speaksOfCreditNote(reading)) return undefined
  const sums = ratedSumsOf(reading)
  for (const whole of sums)
    for (const one of sums) {
      const other = sums.find(
        ({ base, total }) => base + one.base === whole.base && total + one.total === whole.total
      )
      if (other === undefined || other.total === one.total) continue
      const difference = differenceOf(reading, one, other)
      return { states: [whole, difference === one ? other : one], difference }
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
    const amount = cents(Number(value))
    return kept.has(amount) || !states.has(amount)
  })
}
