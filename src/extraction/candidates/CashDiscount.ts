import { textOfWords } from "../../domain/LineText.ts"
import { ofLexicon } from "../lexicon/Lexicon.ts"
import { wholeWords } from "../lexicon/WordPatterns.ts"
import type { Span, Token } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import { type Candidate, rowKey } from "../layout/Candidate.ts"

const discounts = ofLexicon((lexicon) => wholeWords(lexicon.words("discount")))
const share = /\d\s*%/u
const endOfClause = /(?:[,;]|\p{L}{3}\.)$/u
/** Words of a clause on either side of a date; longer ones are an attack on time. */
const mostWords = 20

/** The words from one place of a row in one direction, up to the end of their clause or the next date. */
const wordsOfClause = (
  row: ReadonlyArray<Token>,
  start: number,
  step: 1 | -1,
  isDate: (at: number) => boolean
): ReadonlyArray<Token> => {
  const words: Array<Token> = []
  for (let at = start; words.length < mostWords && !isDate(at); at += step) {
    const token = row[at]
    if (token === undefined || (step === -1 && endOfClause.test(token.text))) break
    words.push(token)
    if (endOfClause.test(token.text)) break
  }
  return step === 1 ? words : words.toReversed()
}

const known = new WeakMap<Reading, Map<string, boolean>>()

/**
 * Whether a date ends the time in which less may be paid, so that it is not the day to pay by: the first date of `Payable
 * by 21 April less 2 % discount, by 11 May net`. What is between two dates of a clause belongs to the first.
 */
export const endsCashDiscount = (reading: Reading, { span }: Candidate): boolean => {
  // Each label near a date asks for it.
  const answers = known.get(reading) ?? new Map<string, boolean>()
  known.set(reading, answers)
  const key = `${rowKey(span.page, span.row)}:${span.from}`
  const is = answers.get(key) ?? isInDiscount(reading, span)
  answers.set(key, is)
  return is
}

const isInDiscount = (reading: Reading, span: Span): boolean => {
  const row = reading.pages[span.page]?.rows[span.row] ?? []
  if (!row.some(({ text }) => text.includes("%"))) return false
  const dates = reading.dates.filter((date) => date.span.page === span.page && date.span.row === span.row)
  const isDate = (at: number): boolean => dates.some((date) => date.span.from <= at && at <= date.span.to)
  const before = wordsOfClause(row, span.from - 1, -1, isDate)
  const follows = isDate(span.from - 1 - before.length)
  const isClosed = endOfClause.test(row[span.to]?.text ?? "")
  const after = isClosed ? [] : wordsOfClause(row, span.to + 1, 1, isDate)
  const clause = textOfWords([...(follows ? [] : before), ...after])
  return share.test(clause) && discounts(reading.lexicon).test(clause)
}
