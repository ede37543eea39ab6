import type { Ranked } from "../candidates/Ranked.ts"
import type { Equation, Term } from "./Equation.ts"

type Choice = ReadonlyMap<string, Ranked<number> | undefined>

/** No tax on sales is more than this share of what is taxed; the highest usual rates are below the second one. */
const mostTax = 0.5
const mostUsualTax = 0.3

/** Whether nothing calls an amount a tax, or a base: two groups of a bill, or a balance and a bill, add up as well. */
const isNameless = ({ features }: Ranked): boolean => features !== undefined && features.labelled !== 1

/**
 * Tax and what is taxed add up whichever is which: the smaller is the tax, and far smaller. Two equal parts of a sum are
 * two taxes, or two items. One of the amounts may follow from the whole.
 */
export const isUpsideDown = ({ terms }: Equation, choice: Choice, onTop: ReadonlySet<string>): boolean => {
  const whole = terms.find(({ sign }) => sign === -1)
  const parts = terms.filter(({ sign }) => sign === 1)
  const top = parts.find(({ field }) => onTop.has(field))
  const base = parts.find((part) => part !== top)
  if (whole === undefined || top === undefined || base === undefined || parts.length !== 2) return false
  const amountOf = ({ field }: Term) => choice.get(field)?.value
  const rest = (part: number | undefined) => (amountOf(whole) ?? Number.NaN) - (part ?? Number.NaN)
  const tax = amountOf(top) ?? rest(amountOf(base))
  const taxed = amountOf(base) ?? rest(amountOf(top))
  const part = choice.get(top.field) ?? choice.get(base.field)
  const most = part !== undefined && isNameless(part) ? mostUsualTax : mostTax
  return Math.abs(tax) > most * Math.abs(taxed)
}
