import type { Field } from "../lexicon/Field.ts"
import type { LabelMatch } from "../layout/LabelMatches.ts"
import type { Reading } from "../layout/Reading.ts"
import { type Candidate, rowKey } from "../layout/Candidate.ts"

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
 * Whether a date is in a column of dates, as the days of work in the lines of a table are. A date with a label of its own, before
 * or above it, does not count.
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
