import type { LabelMatch } from "../layout/LabelMatches.ts"
import type { Reading } from "../layout/Reading.ts"
import { type Candidate, rowKey } from "../layout/Candidate.ts"

const labelsOf = (reading: Reading, page: number, row: number): ReadonlyArray<LabelMatch> =>
  reading.labelsByRow.get(rowKey(page, row)) ?? []

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
