import type { Candidate } from "./Candidate.ts"
import { type DateOrder, inLanguages, parseDate, type PrintedDate } from "../values/Dates.ts"
import { dateOrderIn, putsYearFirst } from "../lexicon/CountrySigns.ts"
import type { Lexicon } from "../lexicon/Lexicon.ts"
import { lexiconInUse } from "../lexicon/ReadLexicon.ts"
import { isFarAhead } from "./Recent.ts"
import { around, type PageModel, type Token } from "./PageModel.ts"
import { textOfWords } from "../../domain/LineText.ts"

/** A date on the page, with what the digits prove about their order. */
export interface FoundDate extends Candidate<string> {
  readonly printed: PrintedDate
}

const startsLikeDate =
  /^[("]?(?:\d{1,4}(?!\d*[%€$£])|令和|平成|昭和|(?:中華)?民國|\p{L}[\p{L}\p{M}]{2,15}\.?(?:,|-\d|\d|$))/u
const longest = 6

/** The last token of those from one on that it takes to make up a length of their text. */
const endOf = (tokens: ReadonlyArray<Token>, from: number, length: number): number => {
  let to = from
  for (let end = tokens[from]?.text.length ?? 0; end < length && to + 1 < tokens.length;) {
    end += 1 + (tokens[++to]?.text.length ?? 0)
  }
  return to
}

const printedAt = (tokens: ReadonlyArray<Token>, from: number, order: DateOrder) => {
  const text = tokens
    .slice(from, from + longest)
    .map((token) => token.text)
    .join(" ")
  const skipped = /^[("]/u.test(text) ? 1 : 0
  const printed = parseDate(text.slice(skipped), order)
  return printed === undefined ? undefined : { printed, to: endOf(tokens, from, printed.length + skipped) }
}

const dateAt = (tokens: ReadonlyArray<Token>, from: number, order: DateOrder) => {
  const first = tokens[from]
  if (first === undefined || !startsLikeDate.test(first.text)) return undefined
  const date = printedAt(tokens, from, order)
  return date === undefined || cutsDate(tokens, from, date.to, order) ? undefined : date
}

/** `Net 15      Feb 10, 2026`: a number of one column is no part of the date that is whole in the next. */
const cutsDate = (tokens: ReadonlyArray<Token>, from: number, to: number, order: DateOrder): boolean =>
  tokens.slice(from + 1, to + 1).some(({ phrase }, at) => {
    if (phrase === tokens[from + at]?.phrase) return false
    const whole = printedAt(tokens, from + 1 + at, order)
    return whole !== undefined && whole.to > to && tokens[whole.to]?.phrase === phrase
  })

const fourDigits = /^(?:19|20)\d{2}[.,]?$/u

/**
 * The date at the end of a cell whose year is alone in its next line, below the beginning or the end of the first: `September 30,` above
 * `2025`.
 */
const brokenDate = (
  tokens: ReadonlyArray<Token>,
  below: ReadonlyArray<Token>,
  from: number,
  order: DateOrder
) => {
  const first = tokens[from]
  if (first === undefined || !startsLikeDate.test(first.text)) return undefined
  const cell = tokens.filter(({ phrase }) => phrase === first.phrase)
  const rest = tokens.slice(from).filter(({ phrase }) => phrase === first.phrase)
  const { h, w, x } = around(cell)
  const year = below.findIndex(
    (one, at) =>
      fourDigits.test(one.text) &&
      one.phrase !== below[at - 1]?.phrase &&
      one.phrase !== below[at + 1]?.phrase &&
      Math.min(Math.abs(one.x - x), Math.abs(one.x + one.w - x - w)) < h
  )
  const last = below[year]
  if (last === undefined || rest.length > 3) return undefined
  const text = textOfWords([...rest, last])
  const printed = parseDate(text, order)
  if (printed === undefined || printed.length < text.length - 1) return undefined
  return { printed, to: from + rest.length - 1, text, year }
}

/** All dates of a page. */
export const datesOf = (model: PageModel, page: number, order: DateOrder): Array<FoundDate> => {
  const found: Array<FoundDate> = []
  for (const [row, tokens] of model.rows.entries()) {
    for (let from = 0; from < tokens.length; from++) {
      const below = model.rows[row + 1] ?? []
      const whole = dateAt(tokens, from, order)
      const broken = whole === undefined ? brokenDate(tokens, below, from, order) : undefined
      const date = whole ?? broken
      if (date === undefined) continue
      const { printed, to } = date
      const add = (taken: ReadonlyArray<Token>, span: FoundDate["span"]) =>
        found.push({
          span,
          bbox: around(taken),
          text: broken?.text ?? textOfWords(taken),
          value: printed.iso,
          quality: printed.ambiguous ? 0.9 : 1,
          printed
        })
      add(tokens.slice(from, to + 1), { page, row, from, to })
      // A label may be next to either line.
      if (broken !== undefined)
        add(below.slice(broken.year, broken.year + 1), {
          page,
          row: row + 1,
          from: broken.year,
          to: broken.year
        })
      from = to
    }
  }
  return found
}

/** The dates with the meaning that those with an ambiguous name of a month have in the languages of the document. */
export const datesInLanguages = (
  dates: ReadonlyArray<FoundDate>,
  languages: () => ReadonlyMap<string, number>
): ReadonlyArray<FoundDate> => {
  if (dates.every(({ printed }) => printed.meanings === undefined)) return dates
  const known = languages()
  return dates.map((date) => {
    if (date.printed.meanings === undefined) return date
    const printed = inLanguages(date.printed, known)
    return { ...date, printed, value: printed.iso, quality: printed.ambiguous ? 0.9 : 1 }
  })
}

const yearFirst = /^\d{2}([-/.])(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])$/u

/** Whether a date with a year of two digits may begin with its year: `25/11/15`. */
export const mayBeginWithYear = (text: string): boolean => yearFirst.test(text)

/**
 * `22-04-30` is a year, a month and a day where all dates can be, and where its country writes so or the year would be
 * far ahead.
 */
const beginsWithYear = (dates: ReadonlyArray<FoundDate>, { lexicon, text, today }: Said): boolean => {
  const short = dates.filter((date) => /^\d{2}\D\d{2}\D\d{2}$/u.test(date.text))
  return (
    short.length > 0 &&
    short.every((date) => yearFirst.test(date.text)) &&
    (putsYearFirst(text, lexicon) || short.some((date) => isFarAhead(date.value, today)))
  )
}

/** What a document says apart from its dates. */
interface Said {
  readonly text: string
  readonly lexicon: Lexicon
  /** An ISO date. */
  readonly today: string
}

/**
 * Whether nothing says if the day or the month comes first: no date proves it and no sign of a country is in the text.
 * The United States write the month first, most others the day.
 */
export const isOrderOpen = (
  dates: ReadonlyArray<FoundDate>,
  text: string,
  lexicon: Lexicon = lexiconInUse()
): boolean =>
  dateOrderIn(text, lexicon) === "open" && dates.every(({ printed }) => printed.proves === undefined)

/**
 * In which order the document writes its dates: as one of them proves; else month first where its country does, and day first
 * everywhere else.
 */
export const dateOrderOf = (dates: ReadonlyArray<FoundDate>, said: Said): DateOrder => {
  if (beginsWithYear(dates, said)) return "YMD"
  const proofs = dates.map((date) => date.printed.proves)
  const dayFirst = proofs.filter((proof) => proof === "DMY").length
  const monthFirst = proofs.filter((proof) => proof === "MDY").length
  if (dayFirst !== monthFirst) return dayFirst > monthFirst ? "DMY" : "MDY"
  return dateOrderIn(said.text, said.lexicon) === "MDY" ? "MDY" : "DMY"
}
