import { ofLexicon } from "../lexicon/Lexicon.ts"
import type { LabelMatch } from "../layout/LabelMatches.ts"
import type { Token } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import { type Candidate, rowKey } from "../layout/Candidate.ts"

/** Whether a word is right before a token, in the same run of words: the `Krediterar` of `Krediterar faktura 88220`. */
const isInsideRun = (row: ReadonlyArray<Token>, at: number): boolean => {
  const [before, token] = [row[at - 1], row[at]]
  return before !== undefined && before.phrase === token?.phrase && /\p{L}{2,}$/u.test(before.text)
}

/** A row of a page. */
type Place = Pick<Candidate["span"], "page" | "row">

/** `1188/2025`, `No. 4471` and `SOW-4`: a number long enough to be that of a document. */
const numberOfDocument = /(?:\d\D?\d\D?\d.*[\p{L}\d/)]|^\p{Lu}{2,5}-\d+)$/u

const isBehindNumber = (reading: Reading, { page, row }: Place, at: number): boolean => {
  const tokens = reading.pages[page]?.rows[row] ?? []
  const [before, token] = [tokens[at - 1], tokens[at]]
  return (
    before !== undefined &&
    token !== undefined &&
    before.phrase === token.phrase &&
    numberOfDocument.test(before.text) &&
    // The year in `30. Juni 2025 Zahlbar bis` is that of a day.
    !datesInRow(reading, { page, row }).some(({ span }) => span.from < at && span.to >= at - 1)
  )
}

const labelsOf = (reading: Reading, page: number, row: number): ReadonlyArray<LabelMatch> =>
  reading.labelsByRow.get(rowKey(page, row)) ?? []

/** `vom`, `ze dne`, `of`: the words between a number and its date are short. */
const leadsToDate = /^\p{L}{1,6}\.?,?$/u
const mostLeading = 2

/**
 * Whether a date is that of another document, whose number is right before it: `selon offre n° 25-044 du 14 mai 2025`. Behind
 * a label that names a number of this document, it is not.
 */
export const isReferenceDate = (reading: Reading, { span }: Candidate): boolean => {
  const row = reading.pages[span.page]?.rows[span.row] ?? []
  let number = span.from - 1
  while (span.from - number <= mostLeading && leadsToDate.test(row[number]?.text ?? "")) number--
  if (number < 1 || number === span.from - 1 || !isBehindNumber(reading, span, number + 1)) return false
  const labels = labelsOf(reading, span.page, span.row).filter(
    (match) => match.span.to < number && row[match.span.to]?.phrase === row[number]?.phrase
  )
  if (labels.length === 0) return /\p{L}/u.test(row[number - 1]?.text ?? "") && isInsideRun(row, number)
  const last = Math.max(...labels.map((match) => match.span.to))
  return labels.some((match) => match.span.to === last && !match.label.names)
}

/** `bis`, `til`: words between the first and the last day of a period. */
const throughOf = ofLexicon(
  (lexicon): ReadonlySet<string> => new Set(lexicon.words("through").map(lexicon.foldLabel))
)
const dash = /^[-–—]$/u

const byRow = new WeakMap<Reading, ReadonlyMap<string, ReadonlyArray<Candidate<string>>>>()

/** The dates in a row. */
const datesInRow = (reading: Reading, { page, row }: Place): ReadonlyArray<Candidate<string>> => {
  const rows = byRow.get(reading) ?? Map.groupBy(reading.dates, ({ span }) => rowKey(span.page, span.row))
  byRow.set(reading, rows)
  return rows.get(rowKey(page, row)) ?? []
}

/** The most dates of a row that are compared: a line of text has fewer. */
const mostInRow = 20

/** Whether a date is the first or the last day of a period: `01.09.2025 – 30.09.2025`. */
export const isOfPeriod = (reading: Reading, { span }: Candidate): boolean => {
  const row = reading.pages[span.page]?.rows[span.row] ?? []
  const through = throughOf(reading.lexicon)
  return datesInRow(reading, span)
    .slice(0, mostInRow)
    .some(({ span: other }) => {
      if (other.from === span.from) return false
      const [first, last] = other.from < span.from ? [other, span] : [span, other]
      const words = row.slice(first.to + 1, last.from)
      const isOnePhrase = row[first.to]?.phrase === row[last.from]?.phrase
      return (
        isOnePhrase &&
        words.length === 1 &&
        words.every(({ folded, text }) => dash.test(text) || through.has(folded))
      )
    })
}

/** How many rows further down the next date of a column may be: descriptions take several lines. */
const nearRows = 3

const hasLabelBefore = (reading: Reading, { from, page, row }: Candidate["span"]): boolean =>
  labelsOf(reading, page, row).some(({ span }) => span.to < from)

const isLabelBetween = (reading: Reading, one: Candidate["span"], two: Candidate["span"]): boolean => {
  const first = Math.min(one.row, two.row) + 1
  const rows = Array.from({ length: Math.abs(one.row - two.row) - 1 }, (_, i) => first + i)
  return rows.some((row) => labelsOf(reading, one.page, row).length > 0)
}

const right = ({ bbox }: Pick<Candidate, "bbox">): number => bbox.x + bbox.w

/**
 * Whether a date is in a column of dates: the days of the lines of a table, on which something was done. Dates with
 * labels of their own, before or above them, are none.
 */
export const isInColumnOfDates = (reading: Reading, date: Candidate): boolean => {
  if (hasLabelBefore(reading, date.span)) return false
  const slack = 0.5 * date.bbox.h
  return reading.dates.some(({ bbox, span }) => {
    const distance = Math.abs(span.row - date.span.row)
    return (
      span.page === date.span.page &&
      distance >= 1 &&
      distance <= nearRows &&
      Math.abs(bbox.x - date.bbox.x) < slack &&
      Math.abs(right({ bbox }) - right(date)) < 2 * slack &&
      !hasLabelBefore(reading, span) &&
      !isLabelBetween(reading, date.span, span)
    )
  })
}
