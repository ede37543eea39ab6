import { hundredths } from "../../support/Cents.ts"
import { withPoint } from "../candidates/AmountRoles.ts"
import { best, type Ranked, isLabelled as isBehindLabel } from "../candidates/Ranked.ts"
import type { Field } from "../lexicon/Field.ts"
import type { Reading } from "../layout/Reading.ts"
import type { FoundTable } from "../tables/FoundTable.ts"
import { adjustmentRows, isAdjusted, isChargedBelow } from "./Adjustments.ts"
import { withBreakdownSums } from "./BreakdownSums.ts"
import { type Equation, parseEquation } from "./Equation.ts"
import { columnsOfNet, includedTax, withoutUnprintedTax } from "./TaxInTotal.ts"
import { withPrintedSums } from "./PrintedSums.ts"
import { type Chosen, chooseSums } from "./Sums.ts"
import { around } from "../layout/PageModel.ts"

const mostRows = 4

/** Those that are under each other from the first one down, one to a row. */
const column = (first: Ranked<number>, all: ReadonlyArray<Ranked<number>>): Array<Ranked<number>> => {
  const taken = [first]
  for (const next of all) {
    const last = taken.at(-1)
    if (last === undefined || next.span.page !== last.span.page || next.span.row <= last.span.row) continue
    const right = next.bbox.x + next.bbox.w
    if (next.span.row - last.span.row > 2 || Math.abs(right - (last.bbox.x + last.bbox.w)) > 6) continue
    taken.push(next)
  }
  return taken
}

/**
 * Tax at several rates is printed in rows of its own, often without their sum: adds that sum to the candidates, for the
 * other amounts to prove. Nothing is added that is printed anyway.
 */
const withSumOfParts = (ranked: ReadonlyArray<Ranked<number>>): ReadonlyArray<Ranked<number>> => {
  // Forms list every rate that there is: `VAT 27 %  0.00`.
  const best = ranked.find(({ value }) => value !== 0)
  if (best === undefined) return ranked
  const near = ranked
    // `Outside the scope of VAT  9.00` below a tax: no label calls it one.
    .filter(({ features }) => best.features?.labelled !== 1 || features?.labelled === 1)
    // Two amounts that each come on top of another one near them, `GST 74.00` and `QST 147.63`, are both taxes.
    .filter(
      (one) =>
        one.score >= 0.75 * best.score ||
        (one.features?.top === 1 && best.features?.top === 1) ||
        isBehindLabel(one)
    )
    .filter(({ value }) => value !== 0)
    .flatMap((one) => [one].concat((one.twins ?? []).map((twin) => Object.assign({}, one, twin))))
    .toSorted((a, b) => a.span.page - b.span.page || a.span.row - b.span.row)
  const parts = near.map((first) => column(first, near)).toSorted((a, b) => b.length - a.length)[0] ?? []
  if (parts.length < 2 || parts.length > mostRows) return ranked
  // What is taken off below a tax was withheld: it is no second tax.
  if (parts.some(({ value }) => value < 0) && parts.some(({ value }) => value > 0)) return ranked
  const value = hundredths(parts.reduce((sum, part) => sum + part.value, 0))
  if (ranked.some((candidate) => candidate.value === value)) return ranked
  const sum: Ranked<number> = {
    ...best,
    bbox: around(parts.map(({ bbox }) => bbox)),
    text: parts.map(({ text }) => text).join(" + "),
    value,
    score: 0.9 * Math.min(...parts.map(({ score }) => score)),
    computed: true
  }
  const [first = best, ...others] = ranked
  return [first, sum, ...others]
}

/** The amounts of a document, chosen together. */
export interface DocumentSums {
  readonly equations: ReadonlyArray<Equation>
  /** The candidates of all fields, those of amounts as the sums that are printed prove them or rule them out. */
  readonly ranked: ReadonlyMap<string, ReadonlyArray<Ranked>>
  /** The amount of each field, or none. */
  readonly chosen: ReadonlyMap<string, Chosen>
  /** The sums of the columns of tables, by `lines.amount`. */
  readonly columns: ReadonlyMap<string, number>
  /** Whether what is printed in between explains that an equation does not hold. */
  readonly isExplained: (equation: Equation) => boolean
}

const amountsOf = (ranked: ReadonlyArray<Ranked>, adds: boolean): ReadonlyArray<Ranked<number>> => {
  const amounts = ranked.filter((one): one is Ranked<number> => typeof one.value === "number")
  return adds ? withSumOfParts(amounts) : amounts
}

/** From this quality on, a number is rather an amount. */
const likelyAmount = 0.7

const columnSums = (tables: ReadonlyMap<string, FoundTable>): Map<string, number> => {
  const sums = new Map<string, number>()
  for (const [name, { items }] of tables) {
    const rows = items.map(({ values }) => values)
    for (const column of Object.keys(rows[0] ?? {})) {
      const values = rows.map((row) => row[column])
      if (!values.every((value) => typeof value === "number")) continue
      sums.set(`${name}.${column}`, hundredths(values.reduce((sum, value) => sum + value, 0)))
    }
  }
  return sums
}

/**
 * Chooses the amounts of all fields at once, so that the relations of a flow (`subtotal + taxAmount = totalAmount`) and the sums
 * that are printed hold as far as they can.
 */
export const documentSums = (
  reading: Reading,
  fields: ReadonlyArray<Field>,
  relations: ReadonlyArray<string>,
  candidates: ReadonlyMap<string, ReadonlyArray<Ranked>>,
  tables: ReadonlyMap<string, FoundTable>
): DocumentSums => {
  const equations = relations.flatMap((text) => parseEquation(text) ?? [])
  const onTop = new Set(fields.filter(({ adds }) => adds).map(({ name }) => name))
  const ranked = withPrintedSums(reading, fields, withBreakdownSums(reading, equations, onTop, candidates))
  const money = fields.filter(({ type }) => type === "money")
  const amounts = new Map(money.map(({ adds, name }) => [name, amountsOf(ranked.get(name) ?? [], adds)]))
  const printed = reading.money.flatMap(({ quality, value }) => (quality >= likelyAmount ? [value] : []))
  const included = includedTax(equations, onTop, amounts, printed)
  for (const [name, amount] of included) amounts.set(name, best([...(amounts.get(name) ?? []), amount]))
  const columns = columnsOfNet(columnSums(tables), included)
  const between = adjustmentRows(reading, new Set(money.map(({ name }) => name)))
  const input = { ranked: amounts, columns, money: reading.money, moneyByRow: between, onTop }
  const chosen = withoutUnprintedTax(
    reading,
    equations,
    onTop,
    amounts,
    chooseSums(equations, input),
    columns
  )
  const ofTills = new Set(fields.filter(({ pointOfSale }) => pointOfSale).map(({ name }) => name))
  return {
    equations,
    ranked,
    chosen: new Map(
      [...chosen].map(([name, one]) => [name, ofTills.has(name) ? withPoint(reading, one) : one])
    ),
    columns,
    isExplained: (equation) =>
      isAdjusted(equation, chosen, between, amounts) ||
      isChargedBelow(equation, chosen, columns, amounts, between)
  }
}
