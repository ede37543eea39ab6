import { textOfWords } from "../../domain/LineText.ts"
import { type Candidate, rowKey } from "../layout/Candidate.ts"
import type { LabelMatch } from "../layout/LabelMatches.ts"
import type { Reading } from "../layout/Reading.ts"
import type { Field } from "../lexicon/Field.ts"

const labelsOf = (reading: Reading, page: number, row: number): ReadonlyArray<LabelMatch> =>
  reading.labelsByRow.get(rowKey(page, row)) ?? []

/**
 * Whether a label before a value in its row, for a number right before it, or all labels right above it as headings are, say that
 * it is something else.
 */
export const isRuledOut = (reading: Reading, field: Field, { bbox, span }: Candidate): boolean => {
  const [last] = labelsOf(reading, span.page, span.row)
    .filter(({ span: { to } }) => (field.type === "identifier" ? to === span.from - 1 : to < span.from))
    .toSorted((a, b) => b.span.to - a.span.to)
  if (last !== undefined) return !last.label.names && last.label.field === field.name
  const above = labelsOf(reading, span.page, span.row - 1).filter(
    (match) =>
      (match.label.names || match.label.field === field.name) &&
      match.bbox.x < bbox.x + bbox.w &&
      match.bbox.x + match.bbox.w > bbox.x
  )
  return above.length > 0 && above.every(({ label }) => (label.field === field.name) !== label.names)
}

/** What leads from the first day of a period to its last one: `bis`, `to`, `au`, a dash. */
const leadsOn = /^(?:[-–—]|\p{Ll}{1,4}\.?)$/u

/** Dates without the first and last days of periods, `vom 1.3.2025 bis 31.3.2025`, `1 - 31 March 2025`: none is a day of a document. */
export const withoutPeriods = <A>(
  reading: Reading,
  dates: ReadonlyArray<Candidate<A>>
): ReadonlyArray<Candidate<A>> =>
  dates.filter(({ span: { from, page, row, to } }) => {
    const tokens = reading.pages[page]?.rows[row] ?? []
    const labels = labelsOf(reading, page, row)
    const leads = (at: number) =>
      leadsOn.test(tokens[at]?.text ?? "") && !labels.some(({ span }) => span.from <= at && at <= span.to)
    const others = reading.dates.filter(({ span }) => span.page === page && span.row === row)
    return !(
      /^\d{1,2}\.? [-–—]$/u.test(textOfWords(tokens.slice(Math.max(0, from - 2), from))) ||
      others.some(
        ({ span }) => (span.from === to + 2 && leads(to + 1)) || (span.to === from - 2 && leads(from - 1))
      )
    )
  })

/** How many rows further down the next date of a column may be: descriptions take several lines. */
const nearRows = 3

const isLabelBetween = (reading: Reading, one: Candidate["span"], two: Candidate["span"]): boolean => {
  const first = Math.min(one.row, two.row) + 1
  const rows = Array.from({ length: Math.abs(one.row - two.row) - 1 }, (_, i) => first + i)
  return rows.some((row) => labelsOf(reading, one.page, row).length > 0)
}

const right = ({ bbox }: Pick<Candidate, "bbox">): number => bbox.x + bbox.w

/**
 * Whether a date is in a column of dates, as the days of work in the lines of a table are. Dates with a label between them are in
 * none.
 */
export const isInColumnOfDates = (reading: Reading, date: Candidate): boolean => {
  const slack = 0.5 * date.bbox.h
  return reading.dates.some(({ bbox, span }) => {
    const distance = Math.abs(span.row - date.span.row)
    return (
      span.page === date.span.page &&
      distance >= 1 &&
      distance <= nearRows &&
      Math.abs(bbox.x - date.bbox.x) < slack &&
      Math.abs(right({ bbox }) - right(date)) < 2 * slack &&
      !isLabelBetween(reading, date.span, span)
    )
  })
}
