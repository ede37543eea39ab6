import { best, type Ranked, scored } from "../candidates/Ranked.ts"
import { type Candidate, rowKey } from "../layout/Candidate.ts"
import type { Reading } from "../layout/Reading.ts"
import { type Equation, isPlainSum } from "./Equation.ts"

const sure = 0.85
const leastQuality = 0.7
const mostInRow = 8

/**
 * What is left at the end of a row that begins with a charge and takes amounts off it: the 74.20 of
 * `Total $246.00 -$85.40 -$86.40 $74.20`. Undefined for other rows.
 */
const rest = (row: ReadonlyArray<Candidate<number>>): Candidate<number> | undefined => {
  const amounts = row.filter(({ quality }) => quality >= leastQuality)
  const [charge, ...others] = amounts
  const last = others.pop()
  if (charge === undefined || last === undefined || others.length === 0 || amounts.length > mostInRow)
    return undefined
  if (charge.value <= 0 || last.value < 0 || others.some(({ value }) => value > 0)) return undefined
  if (others.every(({ value }) => value === 0)) return undefined
  const sum = amounts.slice(0, -1).reduce((all, { value }) => all + value, 0)
  return Math.abs(sum - last.value) < 0.006 ? last : undefined
}

/**
 * The candidates for a total in a row that takes off what somebody else has paid or what was discounted: only what is left
 * is the total, not the charges at the beginning of the row.
 */
export const withDeductedTotals = (
  reading: Reading,
  equations: ReadonlyArray<Equation>,
  ranked: ReadonlyMap<string, ReadonlyArray<Ranked>>
): ReadonlyMap<string, ReadonlyArray<Ranked>> => {
  const found = new Map(ranked)
  for (const field of new Set(equations.filter(isPlainSum).map(({ terms }) => terms.at(-1)?.field ?? "")))
    for (const { label, span } of reading.labels) {
      if (!label.names || label.field !== field) continue
      const key = rowKey(span.page, span.row)
      const left = rest(reading.moneyByRow.get(key) ?? [])
      if (left === undefined) continue
      const others = (found.get(field) ?? []).filter(
        (other) => rowKey(other.span.page, other.span.row) !== key
      )
      found.set(field, best([...others, scored(left, sure)]))
    }
  return found
}
