import { hundredths } from "../../support/Cents.ts"
import { around } from "../layout/PageModel.ts"
import { isLabelled as isBehindLabel, type Ranked } from "../candidates/Ranked.ts"

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

/** Taxes are multiples of half a percent, up to 30 %. */
const isTaxOf = (tax: number, base: number): boolean => {
  const rate = Math.round((tax / base) * 200) / 200
  return rate > 0 && rate <= 0.3 && Math.abs(tax - rate * base) < 0.015
}

/** `VAT 6% on 70.00  4.20`: its row has the amount that it is a tax of. */
const hasBase = ({ span, value }: Ranked<number>, all: ReadonlyArray<Ranked<number>>): boolean =>
  all.some((base) => base.span.page === span.page && base.span.row === span.row && isTaxOf(value, base.value))

/** `Outside the scope of VAT  9.00` below a tax: no label calls it one, and no amount in its row is taxed by it. */
const isNoTax = (part: Ranked<number>, all: ReadonlyArray<Ranked<number>>): boolean =>
  part.features !== undefined && part.features.labelled !== 1 && !hasBase(part, all)

/** Two amounts that each come on top of another one near them, `GST 74.00` and `QST 147.63`. */
const isOnTop = (one: Ranked<number>, best: Ranked<number>): boolean =>
  one.features?.top === 1 && best.features?.top === 1

/**
 * Tax at several rates is printed in rows of its own, often without their sum: adds that sum to the candidates, for the
 * other amounts to prove. Nothing is added that is printed anyway.
 */
export const withSumOfParts = (ranked: ReadonlyArray<Ranked<number>>): ReadonlyArray<Ranked<number>> => {
  // Forms list every rate that there is: `VAT 27 %  0.00`.
  const best = ranked.find(({ value }) => value !== 0)
  if (best === undefined) return ranked
  const isLabelled = best.features?.labelled === 1
  const near = ranked
    .filter((one) => !isLabelled || !isNoTax(one, ranked))
    .filter(
      (one) =>
        one.score >= 0.75 * best.score || hasBase(one, ranked) || isOnTop(one, best) || isBehindLabel(one)
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
