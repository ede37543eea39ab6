import { nameWords } from "../lexicon/NameWords.ts"
import { textOfWords } from "../../domain/LineText.ts"
import { ofLexicon } from "../lexicon/Lexicon.ts"
import type { LabelMatch } from "../layout/LabelMatches.ts"
import type { Token } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import { type Candidate, rowKey } from "../layout/Candidate.ts"
import { isInsideRun, isOfCreditedInvoice } from "./CreditedInvoices.ts"

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

/**
 * Whether a label begins a line below one that ends in the number of another document: `abzgl. 1. Abschlagsrechnung AR-0098` above
 * `vom 16.05.2025`.
 */
const isBelowNumberOfOther = (
  reading: Reading,
  { from, page, row }: LabelMatch["span"],
  tokens: ReadonlyArray<Token>
): boolean => {
  const [first, before] = [tokens[from], tokens[from - 1]]
  if (first === undefined || before?.phrase === first.phrase) return false
  const above = reading.pages[page]?.rows[row - 1] ?? []
  const begins = above.find(({ x }) => Math.abs(x - first.x) < 0.5 * first.h)
  const line = above.filter(({ phrase }) => phrase === begins?.phrase)
  const number = line.at(-1)
  if (begins === undefined || number === undefined || line.length < 3) return false
  const at = above.indexOf(number)
  // `Tax point` below `Invoice No RA/1593` is a label of its own.
  const leads = leadsToDate.test(first.text) && !/^\p{Lu}/u.test(first.text)
  return numberOfDocument.test(number.text) && isInsideRun(above, at) && leads
}

/** Whether a line begins with the document's own number, below its title: `Invoice`, `NW-2025-118 issued on 30 June 2025`. */
const isNumberBelowTitle = (
  { lexicon, pages }: Reading,
  { from, page, row }: LabelMatch["span"]
): boolean => {
  const tokens = pages[page]?.rows[row] ?? []
  const number = tokens[from - 1]
  if (number === undefined || tokens[from - 2]?.phrase === number.phrase) return false
  const { isTitle } = nameWords(lexicon)
  return [row - 1, row - 2].some((above) => {
    const line = pages[page]?.rows[above] ?? []
    const first = line.find(({ x }) => Math.abs(x - number.x) < number.h)
    return first !== undefined && isTitle(textOfWords(line.filter(({ phrase }) => phrase === first.phrase)))
  })
}

/**
 * Whether a label of a date belongs to the number before it, and that number to another document: the `del` of
 * `Rif. fatt. 1188/2025 del 18/09/2025`. Behind a number that has a label of its own, the date is that of the document,
 * unless other words lead to the label: `Credit of invoice 88220 dated 2025-04-02`.
 */
export const isDateOfOther = (reading: Reading, { label, span }: LabelMatch): boolean => {
  const row = reading.pages[span.page]?.rows[span.row] ?? []
  if (row[span.to]?.text.endsWith(":") === true) return false
  // `Invoice * dated` has its number inside.
  if (label.later !== undefined) return isInsideRun(row, span.from)
  if (isBelowNumberOfOther(reading, span, row)) return true
  if (!isBehindNumber(reading, span, span.from) || isNumberBelowTitle(reading, span)) return false
  const labels = reading.labelsByRow.get(rowKey(span.page, span.row)) ?? []
  return !labels.some(
    (match) =>
      match.label.names &&
      match.span.to < span.from - 1 &&
      row[match.span.to]?.phrase === row[span.from]?.phrase &&
      !isInsideRun(row, match.span.from) &&
      !isOfCreditedInvoice(reading, match)
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
  return labels.some(
    (match) => match.span.to === last && (!match.label.names || isOfCreditedInvoice(reading, match))
  )
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
