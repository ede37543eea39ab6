import { hundredths } from "../../support/Cents.ts"
import { withPoint } from "../candidates/AmountRoles.ts"
import { best, isInRowOfLabel, isLabelled, type Ranked, scored } from "../candidates/Ranked.ts"
import type { Field } from "../lexicon/Field.ts"
import type { Reading } from "../layout/Reading.ts"
import type { FoundTable } from "../tables/FoundTable.ts"
import { adjustmentRows, isAdjusted, isChargedBelow } from "./Adjustments.ts"
import { type Equation, isPlainSum, parseEquation } from "./Equation.ts"
import { withBreakdownSums } from "./BreakdownSums.ts"
import { withPrintedSums } from "./PrintedSums.ts"
import { type Chosen, chooseSums } from "./Sums.ts"
import { around } from "../layout/PageModel.ts"
import { rowKey } from "../layout/Candidate.ts"
import { ofLexicon } from "../lexicon/Lexicon.ts"
import { wholeWords } from "../lexicon/WordPatterns.ts"
import { textOfWords } from "../../domain/LineText.ts"

const sureTax = 0.85
const sureNet = 0.8
const leastTotal = 0.5

/** The usual rates of value added and sales taxes of the world, in percent. */
const rates = [
  5, 5.5, 6, 7, 7.5, 7.7, 8, 8.1, 9, 10, 11, 12, 13, 13.5, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
  25.5, 27
]

/**
 * Where prices contain their tax, as in shops of many countries, the sum of the lines is the total, and no net amount is
 * printed: `Tax 70.00`, `Total 770.00`. A labelled tax that is a usual rate's share of the total says what is left. Nothing
 * where the net amount is printed.
 */
const includedTax = (
  equations: ReadonlyArray<Equation>,
  onTop: ReadonlySet<string>,
  ranked: ReadonlyMap<string, ReadonlyArray<Ranked<number>>>,
  printed: ReadonlyArray<number>
): ReadonlyArray<readonly [field: string, amount: Ranked<number>]> => {
  for (const { terms } of equations.filter(isPlainSum)) {
    const [netField = "", taxField = "", whole = ""] = terms.map(({ field }) => field)
    if (!onTop.has(taxField)) continue
    const [total] = ranked.get(whole) ?? []
    if (total === undefined || total.score < leastTotal) continue
    const taxes = rates.map((rate) => (total.value * rate) / (100 + rate))
    const tax = (ranked.get(taxField) ?? []).find(
      (one) => one.value > 0 && isLabelled(one) && taxes.some((value) => Math.abs(value - one.value) < 0.006)
    )
    if (tax === undefined) continue
    const value = hundredths(total.value - tax.value)
    if (printed.some((amount) => Math.abs(amount - value) < 0.006)) continue
    if ((ranked.get(netField) ?? []).some(isLabelled)) continue
    const text = `${total.text} - ${tax.text}`
    const net = { ...scored({ ...tax, value, text }, sureNet), computed: true }
    return [
      [netField, net],
      [taxField, { ...tax, score: Math.max(sureTax, tax.score) }]
    ]
  }
  return []
}

/**
 * The sums of columns that say something about the net amount: lines whose prices contain their tax add up to the total,
 * and nothing follows from that for the net amount.
 */
const columnsOfNet = (
  columns: ReadonlyMap<string, number>,
  included: ReturnType<typeof includedTax>
): ReadonlyMap<string, number> => {
  if (included.length === 0) return columns
  const total = included.reduce((sum, [, { value }]) => sum + value, 0)
  return new Map([...columns].filter(([, sum]) => Math.abs(sum - total) >= 0.006))
}

const taxes = ofLexicon((lexicon) => wholeWords(lexicon.words("taxes")))
const cent = 0.006
/** Whether a row about tax has an amount of nothing: `Btw verlegd € 0,00`. */
const printsNoTax = ({ lexicon, moneyByRow, pages }: Reading): boolean =>
  pages.some(({ rows }, page) =>
    rows.some(
      (tokens, row) =>
        (moneyByRow.get(rowKey(page, row)) ?? []).some(({ value }) => value === 0) &&
        taxes(lexicon).test(textOfWords(tokens))
    )
  )

/** Labels of tax registration numbers, such as `Tax ID`: they do not show that a document charges tax. `VAT` alone does. */
const beforeTaxNumber = ofLexicon((lexicon) => {
  const names = new Set(lexicon.words("taxes"))
  const labels = lexicon.field("invoice.vendorVatId").labels.filter((label) => !names.has(label))
  return new RegExp(wholeWords(labels), "giu")
})

/** Whether the rows of a table make the total, and nothing in the document speaks of a tax: fees and costs of a lawyer are none. */
const isUntaxed = (
  { lexicon, text }: Reading,
  total: Chosen,
  columns: ReadonlyMap<string, number>
): boolean =>
  [...columns].some(([name, sum]) => name.endsWith(".amount") && Math.abs(sum - total.value) < cent) &&
  !taxes(lexicon).test(text.replace(beforeTaxNumber(lexicon), ""))

/**
 * Leaves out what a document without tax does not print. That nothing is left between a net amount and the total does not mean that a
 * tax of 0.00 is printed, and the only sum of such a document, its total, is not printed as a net amount.
 */
const withoutUnprintedTax = (
  reading: Reading,
  equations: ReadonlyArray<Equation>,
  onTop: ReadonlySet<string>,
  ranked: ReadonlyMap<string, ReadonlyArray<Ranked<number>>>,
  sums: ReadonlyMap<string, Chosen>,
  columns: ReadonlyMap<string, number>
): ReadonlyMap<string, Chosen> => {
  const left = new Map(sums)
  for (const { terms } of equations.filter(isPlainSum)) {
    const [netField = "", taxField = "", whole = ""] = terms.map(({ field }) => field)
    const [net, tax, total] = [sums.get(netField), sums.get(taxField), sums.get(whole)]
    if (!onTop.has(taxField) || total === undefined) continue
    if (tax !== undefined && tax.value !== 0 && isUntaxed(reading, total, columns))
      for (const name of [netField, taxField]) left.delete(name)
    if (tax === undefined || !tax.inferred || tax.value !== 0 || printsNoTax(reading)) continue
    left.delete(taxField)
    const labelled = (ranked.get(netField) ?? []).find(
      (one) => isInRowOfLabel(one) && Math.abs(one.value - total.value) < cent
    )
    if (net !== undefined && Math.abs(net.value - total.value) < cent && labelled === undefined)
      left.delete(netField)
  }
  return left
}

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
        isLabelled(one)
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
