import { type Candidate, rowKey } from "../layout/Candidate.ts"
import { type Equation, isPlainSum } from "./Equation.ts"
import { type Ranked, scored } from "../candidates/Ranked.ts"
import type { Reading } from "../layout/Reading.ts"

const sure = 0.85
const mostInRow = 12

/** The first three amounts of a row, in their order, of which two add up to the third. */
export const sumsOfRow = (
  row: ReadonlyArray<Candidate<number>>
): ReadonlyArray<Candidate<number>> | undefined => {
  const amounts = row.slice(0, mostInRow)
  for (const [i, net] of amounts.entries()) {
    for (const [j, tax] of amounts.entries()) {
      if (j <= i || net.value <= 0 || tax.value <= 0) continue
      const gross = amounts.slice(j + 1).find(({ value }) => Math.abs(net.value + tax.value - value) < 0.006)
      if (gross !== undefined) return [net, tax, gross]
    }
  }
  return undefined
}

/**
 * The sums of an invoice may be next to each other, under the columns of its table: `Razem 3 280,00 754,40 4 034,40`. A
 * row with the label of the whole, and three amounts that add up, contains all three.
 */
export const sumsInRows = (
  reading: Reading,
  equations: ReadonlyArray<Equation>
): ReadonlyMap<string, ReadonlyArray<Ranked<number>>> => {
  const found = new Map<string, Array<Ranked<number>>>()
  for (const { terms } of equations.filter(isPlainSum)) {
    const whole = terms.at(-1)?.field
    const labels = reading.labels.filter(({ label }) => label.names && label.field === whole)
    for (const key of new Set(labels.map(({ span }) => rowKey(span.page, span.row)))) {
      const amounts = sumsOfRow(reading.moneyByRow.get(key) ?? [])
      for (const [i, amount] of (amounts ?? []).entries()) {
        const field = terms[i]?.field ?? ""
        found.set(field, [...(found.get(field) ?? []), scored(amount, sure)])
      }
    }
  }
  return found
}
