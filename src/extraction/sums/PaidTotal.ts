import { inCents } from "../../support/Cents.ts"
import { tokensOf } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import type { Chosen } from "./Sums.ts"
import { ofLexicon } from "../lexicon/Lexicon.ts"
import { wholeWords } from "../lexicon/WordPatterns.ts"

const rounding = ofLexicon((lexicon) => wholeWords(lexicon.words("rounding")))

/** The amounts, in cents, in the rows about rounding; an empty list for a row without a readable one. */
const roundings = (reading: Reading): ReadonlyArray<ReadonlyArray<number>> =>
  reading.pages.flatMap((page, p) =>
    page.rows.flatMap((tokens, row) =>
      rounding(reading.lexicon).test(tokens.map(({ text }) => text).join(" "))
        ? [(reading.moneyByRow.get(`${p}:${row}`) ?? []).map(({ value }) => Math.abs(inCents(value)))]
        : []
    )
  )

/**
 * Where the smallest coin is five cents, a line says by how much a total is rounded. The rounded total is computed
 * where it could not be read: 64.13 with a rounding of 0.02 was paid as 64.15.
 */
const rounded = (reading: Reading, chosen: Chosen): Chosen => {
  const rest = inCents(chosen.value) % 5
  if (rest === 0) return chosen
  const by = rest < 3 ? rest : 5 - rest
  const lines = roundings(reading)
  // A rounding of nothing says that the total stays as it is: cards are charged to the cent.
  const fits = lines.some((amounts) => amounts.length === 0 || amounts.includes(by))
  if (!fits || lines.some((amounts) => amounts.includes(0))) return chosen
  const value = (inCents(chosen.value) + (rest < 3 ? -rest : by)) / 100
  const printed = reading.money.findLast((money) => money.value === value && money.quality >= 0.7)
  if (printed !== undefined) return { ...chosen, ...printed }
  return { ...chosen, value, score: 0.8 * chosen.score, agrees: 0, computed: true }
}

const withoutPoint = /^\D*[1-9]\d{2,5}\D*$/u
const withPoint = /\d[.,]\s?\d{2}\D*$/u

/** A recognised total without cents, where other amounts have them, has lost its point: 7125 was 71.25. */
const withCents = (reading: Reading, chosen: Chosen): Chosen => {
  const isRecognised = tokensOf(reading.pages, chosen.span).some(({ confidence }) => confidence !== undefined)
  const usual = reading.money.filter(({ text }) => withPoint.test(text)).length
  if (!isRecognised || usual < 2 || !withoutPoint.test(chosen.text)) return chosen
  return { ...chosen, value: chosen.value / 100, score: 0.8 * chosen.score, computed: true }
}

/** How often a value is printed as an amount with cents, each time in another row. */
const times = (reading: Reading, value: number): number =>
  new Set(
    reading.money
      .filter((money) => money.value === value && money.quality >= 0.7)
      .map(({ span }) => `${span.page}:${span.row}`)
  ).size

/** The total of a receipt: rounded where a line says so. One that is printed again was hardly misread. */
export const paidTotal = (reading: Reading, chosen: Chosen): Chosen => {
  const paid = chosen.inferred ? chosen : rounded(reading, withCents(reading, chosen))
  return paid.computed !== true && times(reading, paid.value) > 1
    ? { ...paid, agrees: paid.agrees + 0.5 }
    : paid
}
