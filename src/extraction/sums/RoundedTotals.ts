import { inCents } from "../../support/Cents.ts"
import { rowKey } from "../layout/Candidate.ts"
import { isInRowOfLabel, type Ranked } from "../candidates/Ranked.ts"
import { ofLexicon } from "../lexicon/Lexicon.ts"
import { wholeWords } from "../lexicon/WordPatterns.ts"
import { textOfWords } from "../../domain/LineText.ts"
import type { Reading } from "../layout/Reading.ts"
import { type Equation, isPlainSum } from "./Equation.ts"

const rounding = ofLexicon((lexicon) => wholeWords(lexicon.words("rounding")))

/** Totals are rounded to whole crowns or forints, or to the smallest coin: hardly ever by more. */
const mostRounding = 2.5

interface Rounding {
  readonly page: number
  readonly row: number
  readonly by: number
}

/** The amounts, in cents, by which a row says that the total below it is rounded. */
const roundingsIn = (reading: Reading): ReadonlyArray<Rounding> =>
  reading.pages.flatMap(({ rows }, page) =>
    rows.flatMap((tokens, row) => {
      const last = reading.moneyByRow.get(rowKey(page, row))?.at(-1)
      if (last === undefined || last.value === 0 || Math.abs(last.value) > mostRounding) return []
      return rounding(reading.lexicon).test(textOfWords(tokens))
        ? [{ page, row, by: Math.abs(inCents(last.value)) }]
        : []
    })
  )

/** The totals without those that a row rounds to a labelled total below it. */
const withoutUnrounded = (
  roundings: ReadonlyArray<Rounding>,
  ranked: ReadonlyArray<Ranked>
): ReadonlyArray<Ranked> => {
  const isRoundedTo = (one: Ranked, total: Ranked) =>
    roundings.some(
      ({ by, page, row }) =>
        total.span.page === page &&
        total.span.row > row &&
        Math.abs(Math.abs(inCents(Number(one.value))) - Math.abs(inCents(Number(total.value)))) === by
    )
  const totals = ranked.filter(isInRowOfLabel)
  return ranked.filter((one) => !totals.some((total) => isRoundedTo(one, total)))
}

/** The candidates without the amounts of the roundings themselves: with what is rounded, they add up to the total as a tax does. */
const withoutRoundings = (
  roundings: ReadonlyArray<Rounding>,
  ranked: ReadonlyArray<Ranked>
): ReadonlyArray<Ranked> =>
  ranked.filter(
    (one) =>
      isInRowOfLabel(one) ||
      !roundings.some(({ page, row }) => one.span.page === page && one.span.row === row)
  )

/**
 * The candidates for a total and its parts, without roundings and what they round: `Sum 66 494.74`, `Rounding 0.26`, `To pay
 * 66 495.00`. That the exact sum is what its parts add up to does not make it the total.
 */
export const withRoundedTotals = (
  reading: Reading,
  equations: ReadonlyArray<Equation>,
  ranked: ReadonlyMap<string, ReadonlyArray<Ranked>>
): ReadonlyMap<string, ReadonlyArray<Ranked>> => {
  const roundings = roundingsIn(reading)
  if (roundings.length === 0) return ranked
  const found = new Map(ranked)
  for (const { terms } of equations.filter(isPlainSum))
    for (const { field, sign } of terms) {
      const own = withoutRoundings(roundings, found.get(field) ?? [])
      found.set(field, sign === -1 ? withoutUnrounded(roundings, own) : own)
    }
  return found
}
