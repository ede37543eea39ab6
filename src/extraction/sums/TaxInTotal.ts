import { hundredths } from "../../support/Cents.ts"
import { isLabelled, type Ranked, scored, isInRowOfLabel } from "../candidates/Ranked.ts"
import { type Equation, isPlainSum } from "./Equation.ts"
import { rowKey } from "../layout/Candidate.ts"
import { ofLexicon } from "../lexicon/Lexicon.ts"
import { wholeWords } from "../lexicon/WordPatterns.ts"
import { textOfWords } from "../../domain/LineText.ts"
import type { Reading } from "../layout/Reading.ts"
import type { Chosen } from "./Sums.ts"

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
export const includedTax = (
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
export const columnsOfNet = (
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

/** The number under which a firm is taxed says nothing of the document. */
const taxNumber = /\btax(?:payer)? (?:id|i\.d\.|identification|number|no)\b/giu

/** Whether the rows of a table make the total, and nothing in the document speaks of a tax: fees and costs of a lawyer are none. */
const isUntaxed = (
  { lexicon, text }: Reading,
  total: Chosen,
  columns: ReadonlyMap<string, number>
): boolean =>
  [...columns].some(([name, sum]) => name.endsWith(".amount") && Math.abs(sum - total.value) < cent) &&
  !taxes(lexicon).test(text.replace(taxNumber, ""))

/**
 * Leaves out what a document without tax does not print. That nothing is left between a net amount and the total does not mean that a
 * tax of 0.00 is printed, and the only sum of such a document, its total, is not printed as a net amount.
 */
export const withoutUnprintedTax = (
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
