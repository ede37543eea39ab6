import { hundredths } from "../../support/Cents.ts"
import { withPoint } from "../candidates/AmountSizes.ts"
import { best, type Ranked } from "../candidates/Ranked.ts"
import type { Field } from "../lexicon/Field.ts"
import type { Reading } from "../layout/Reading.ts"
import { withSumOfParts } from "../names/StackedAmounts.ts"
import type { FoundTable } from "../tables/FoundTable.ts"
import { adjustmentRows, isAdjusted, isChargedBelow } from "./Adjustments.ts"
import { withBreakdownSums } from "./BreakdownSums.ts"
import { type Equation, parseEquation } from "./Equation.ts"
import { columnsOfNet, includedTax } from "./IncludedTax.ts"
import { withPrintedSums } from "./PrintedSums.ts"
import { type Chosen, chooseSums } from "./Sums.ts"
import { withoutUnprintedTax } from "./UntaxedTotals.ts"

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
