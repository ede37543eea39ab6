import { rowKey } from "../layout/Candidate.ts"
import { isInRowOfLabel, type Ranked } from "../candidates/Ranked.ts"
import { ofLexicon } from "../lexicon/Lexicon.ts"
import { wholeWords } from "../lexicon/WordPatterns.ts"
import { textOfWords } from "../../domain/LineText.ts"
import type { Reading } from "../layout/Reading.ts"
import { type Equation, isPlainSum } from "./Equation.ts"
import type { Chosen } from "./Sums.ts"

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
