import { hundredths } from "../../support/Cents.ts"
import { type Candidate, rowKey } from "../layout/Candidate.ts"
import { best, type Ranked, scored } from "../candidates/Ranked.ts"
import { textOfWords } from "../../domain/LineText.ts"
import { around, type Token } from "../layout/PageModel.ts"
import { percentsIn } from "../values/Numbers.ts"
import type { Reading } from "../layout/Reading.ts"
import { type Equation, isPlainSum } from "./Equation.ts"

const sure = 0.85
const leastQuality = 0.85
/** A breakdown has a few rates; more rows are a table of something else. */
const mostRows = 6
const mostInRow = 5
/** No tax on sales is more than this share of what is taxed. */
const mostTax = 0.5

/** A row of a tax breakdown: what is taxed, its tax, and both together. */
interface TaxedRow {
  readonly row: number
  readonly net: Candidate<number>
  readonly tax: Candidate<number>
  readonly gross: Candidate<number>
}

/**
 * The readings of a row of which two amounts add up to the third, the smaller of the two being far smaller; in any order.
 * What is not taxed has a row as well, `0 %  20,80  0,00  20,80`, of which only the other rows show what is what.
 */
const taxedRows = (row: number, all: ReadonlyArray<Candidate<number>>): ReadonlyArray<TaxedRow> => {
  const amounts = all
    .filter(({ quality, value }) => quality >= leastQuality && value >= 0)
    .slice(0, mostInRow)
  const found: Array<TaxedRow> = []
  for (const gross of amounts)
    for (const net of amounts)
      for (const tax of amounts) {
        if (gross === net || tax === net || gross === tax || net.value === 0) continue
        if (tax.value > mostTax * net.value) continue
        if (Math.abs(net.value + tax.value - gross.value) < 0.006) found.push({ row, net, tax, gross })
      }
  return found
}

/**
 * The readings of a row `25 %  152,80  38,20` of a breakdown without a column of sums: an amount, and the tax that the
 * row's rate makes of it, whose sign may be in the heading: `22,00  152,80  33,62`. Their sum is printed nowhere.
 */
const ratedRows = (
  row: number,
  tokens: ReadonlyArray<Token>,
  all: ReadonlyArray<Candidate<number>>
): ReadonlyArray<TaxedRow> => {
  const percents = percentsIn(textOfWords(tokens))
  const amounts = all.filter(({ quality, value }) => quality >= leastQuality && value > 0)
  const [one, two, three, ...more] = amounts
  if (one === undefined || two === undefined || more.length > 0) return []
  const [rates, [left, right]] =
    three === undefined ? [percents, [one, two]] : [percents.length > 0 ? [] : [one.value], [two, three]]
  const [net, tax] = left.value > right.value ? [left, right] : [right, left]
  const fits = rates.some((rate) => Math.abs((net.value * rate) / 100 - tax.value) < 0.011)
  return fits ? [{ row, net, tax, gross: { ...tax, value: net.value + tax.value } }] : []
}

const right = ({ bbox }: Candidate): number => bbox.x + bbox.w

const goesOn = (above: TaxedRow, below: TaxedRow): boolean =>
  below.row === above.row + 1 &&
  (["net", "tax", "gross"] as const).every(
    (name) => Math.abs(right(above[name]) - right(below[name])) < below[name].bbox.h
  )

const rowsTogether = (
  rows: ReadonlyArray<ReadonlyArray<TaxedRow>>
): ReadonlyArray<ReadonlyArray<TaxedRow>> => {
  const groups: Array<Array<TaxedRow>> = []
  for (const readings of rows) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    const next = last === undefined ? undefined : readings.find((reading) => goesOn(last, reading))
    const [first] = readings
    if (group !== undefined && next !== undefined) group.push(next)
    else if (first !== undefined) groups.push([first])
  }
  return groups
}

const sumOf = (parts: ReadonlyArray<Candidate<number>>): Ranked<number> | undefined => {
  const [first] = parts
  if (first === undefined) return undefined
  const value = hundredths(parts.reduce((sum, part) => sum + part.value, 0))
  const bbox = around(parts.map((part) => part.bbox))
  const text = parts.map((part) => part.text).join(" + ")
  return { ...scored({ ...first, value, bbox, text }, sure), computed: true }
}

/** The sums of a breakdown: what is taxed, the tax, and the total as it is printed; and the rows that are its parts. */
interface BreakdownSums {
  readonly sums: readonly [net: Ranked<number>, tax: Ranked<number>, gross: Ranked<number>]
  readonly rows: ReadonlyArray<string>
}

const breakdownsOf = (reading: Reading): ReadonlyArray<BreakdownSums> =>
  reading.pages.flatMap(({ rows }, page) => {
    const taxed = rows.map((tokens, row) => {
      const amounts = reading.moneyByRow.get(rowKey(page, row)) ?? []
      const readings = taxedRows(row, amounts)
      return readings.length > 0 ? readings : ratedRows(row, tokens, amounts)
    })
    return rowsTogether(taxed).flatMap((group): ReadonlyArray<BreakdownSums> => {
      if (group.length < 2 || group.length > mostRows) return []
      const own = new Set(group.map(({ row }) => rowKey(page, row)))
      const [net, tax, whole] = [
        sumOf(group.map((row) => row.net)),
        sumOf(group.map((row) => row.tax)),
        sumOf(group.map((row) => row.gross))
      ]
      const printed = reading.money.find(
        ({ span, value }) =>
          whole !== undefined &&
          Math.abs(value - whole.value) < 0.006 &&
          !own.has(rowKey(span.page, span.row))
      )
      if (net === undefined || tax === undefined || printed === undefined) return []
      return [{ sums: [net, tax, scored(printed, sure)], rows: [...own] }]
    })
  })

/**
 * The candidates with the sums of a tax breakdown that has a row for each rate and none for their sum: where what its rows
 * come to with tax is printed elsewhere in the document, that is the total, and the amounts of the rows are parts of it.
 * `onTop` are the fields that come on top of another, as tax does.
 */
export const withBreakdownSums = (
  reading: Reading,
  equations: ReadonlyArray<Equation>,
  onTop: ReadonlySet<string>,
  ranked: ReadonlyMap<string, ReadonlyArray<Ranked>>
): ReadonlyMap<string, ReadonlyArray<Ranked>> => {
  const taxed = equations.filter(
    (equation) => isPlainSum(equation) && onTop.has(equation.terms[1]?.field ?? "")
  )
  if (taxed.length === 0) return ranked
  const found = new Map(ranked)
  for (const { rows, sums } of breakdownsOf(reading)) {
    const parts = new Set(rows)
    for (const { terms } of taxed)
      for (const [at, { field }] of terms.entries()) {
        const others = (found.get(field) ?? []).filter(({ span }) => !parts.has(rowKey(span.page, span.row)))
        found.set(field, best([...others, ...sums.slice(at, at + 1)]))
      }
  }
  return found
}
