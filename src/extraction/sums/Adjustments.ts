import { type Candidate, rowKey } from "../layout/Candidate.ts"
import type { Reading } from "../layout/Reading.ts"
import type { Equation } from "./Equation.ts"

/** The amounts of rows without a label of an amount that is looked for: tax at a second rate is no adjustment. */
export const adjustmentRows = (
  { labelsByRow, moneyByRow }: Reading,
  fields: ReadonlySet<string>
): ReadonlyMap<string, ReadonlyArray<Candidate<number>>> =>
  new Map(
    [...moneyByRow].filter(
      ([key]) => !labelsByRow.get(key)?.some(({ label }) => label.names && fields.has(label.field))
    )
  )

const half = 0.006
/** Rows between the parts of a sum and the sum, of which some may be adjustments. */
const mostRows = 6

/** The rows under the first of some amounts down to the last, if they are close together on one page. */
const rowsBetween = (amounts: ReadonlyArray<Candidate<number>>): ReadonlyArray<string> => {
  const [first] = amounts
  const rows = amounts.map(({ span }) => span.row)
  const [top, bottom] = [Math.min(...rows), Math.max(...rows)]
  if (first === undefined || bottom - top > mostRows) return []
  if (amounts.some(({ span }) => span.page !== first.span.page)) return []
  const own = new Set(rows)
  return Array.from({ length: bottom - top + 1 }, (_, i) => top + i)
    .filter((row) => !own.has(row))
    .map((row) => rowKey(first.span.page, row))
}

/** What a total is rounded by is less than this share of it. */
const mostRounding = 0.01

/** The row right above a total, where the parts of the sum are elsewhere: its rounding, but nothing of weight. */
const rowAbove = (total: Candidate<number> | undefined, difference: number): ReadonlyArray<string> =>
  total !== undefined && Math.abs(difference) < mostRounding * Math.abs(total.value)
    ? [rowKey(total.span.page, total.span.row - 1)]
    : []

/**
 * Whether a sum holds but for one amount that is printed in a row between its parts and it: freight, a discount, tax
 * withheld at the source, a rounding. `chosen` are the amounts of the terms, `money` all amounts by their rows, and
 * `candidates` those of each field.
 */
export const isAdjusted = (
  { terms }: Equation,
  chosen: ReadonlyMap<string, Candidate<number> | undefined>,
  money: ReadonlyMap<string, ReadonlyArray<Candidate<number>>>,
  candidates: ReadonlyMap<string, ReadonlyArray<Candidate<number>>>
): boolean => {
  const amounts: Array<Candidate<number>> = []
  let difference = 0
  for (const { column, field, sign } of terms) {
    const amount = chosen.get(field)
    if (column !== undefined || amount === undefined || amount.text === "") return false
    amounts.push(amount)
    difference += sign * amount.value
  }
  if (terms.length < 3 || Math.abs(difference) < half) return false
  const total = chosen.get(terms.find(({ sign }) => sign === -1)?.field ?? "")
  const between = [...rowsBetween(amounts), ...rowAbove(total, difference)].flatMap(
    (key) => money.get(key) ?? []
  )
  // `Subtotal 100, discount 10, net 90`: the sum holds with an amount that is printed, too.
  const [first] = amounts
  const exact = (first?.value ?? 0) - difference
  const own = (candidates.get(terms[0]?.field ?? "") ?? []).filter(
    ({ span }) =>
      span.page === first?.span.page && span.row > first.span.row && span.row < (total?.span.row ?? 0)
  )
  return (
    between.some(({ value }) => Math.abs(Math.abs(value) - Math.abs(difference)) < half) &&
    ![...between, ...own].some(({ value }) => Math.abs(value - exact) < half)
  )
}

/**
 * Whether the lines and the sum that they should come to differ by what is printed between the sum of the goods and it:
 * freight, packaging. `candidates` are those of the sum's field, of which one is the sum of the goods.
 */
export const isChargedBelow = (
  { terms }: Equation,
  chosen: ReadonlyMap<string, Candidate<number> | undefined>,
  columns: ReadonlyMap<string, number>,
  candidates: ReadonlyMap<string, ReadonlyArray<Candidate<number>>>,
  money: ReadonlyMap<string, ReadonlyArray<Candidate<number>>>
): boolean => {
  const lines = terms.find(({ column }) => column !== undefined)
  const sum = terms.find(({ column }) => column === undefined)
  const goods = columns.get(`${lines?.field ?? ""}.${lines?.column ?? ""}`)
  const total = chosen.get(sum?.field ?? "")
  if (terms.length !== 2 || goods === undefined || total === undefined || total.text === "") return false
  const difference = total.value - goods
  if (Math.abs(difference) < half) return false
  return (candidates.get(sum?.field ?? "") ?? []).some((other) => {
    if (Math.abs(other.value - goods) > half || other.span.row > total.span.row) return false
    const charges = rowsBetween([other, total]).flatMap((key) => money.get(key)?.slice(-1) ?? [])
    const all = charges.reduce((so, { value }) => so + value, 0)
    return charges.length > 0 && Math.abs(all - difference) < half
  })
}
