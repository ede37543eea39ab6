import { type Candidate, rowKey } from "../layout/Candidate.ts"
import type { Field } from "../lexicon/Field.ts"
import type { LabelMatch } from "../layout/LabelMatches.ts"
import type { Span } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"

const isForeign = (field: Field, { label }: LabelMatch): boolean =>
  (label.field === field.name) !== label.names

const phraseAt = (reading: Reading, { page, row }: Span, at: number): number | undefined =>
  reading.pages[page]?.rows[row]?.[at]?.phrase

/** `Retz, 21. Oktober 2025`: no heading is above the middle of a phrase. */
const isInsidePhrase = (reading: Reading, span: Span): boolean =>
  phraseAt(reading, span, span.from - 1) === phraseAt(reading, span, span.from)

/** `Rechnung 2025-R-0318`: a label with its value behind it is no heading of what is below. */
const isFollowed = (reading: Reading, span: Span): boolean =>
  phraseAt(reading, span, span.to + 1) === phraseAt(reading, span, span.to)

/** Whether every label right above a value, as a heading is, says that it is something else. */
const isUnderOther = (reading: Reading, field: Field, { bbox, span }: Candidate): boolean => {
  const isWord = field.type === "date" && isInsidePhrase(reading, span)
  const above = (reading.labelsByRow.get(rowKey(span.page, span.row - 1)) ?? []).filter(
    (match) =>
      !isWord &&
      !(field.type === "date" && isFollowed(reading, match.span)) &&
      (match.label.names || match.label.field === field.name) &&
      match.bbox.x < bbox.x + bbox.w &&
      match.bbox.x + match.bbox.w > bbox.x
  )
  return above.length > 0 && above.every((match) => isForeign(field, match))
}

/**
 * Whether a label before a value in its row, for a number right before it, or right above it as a heading is, says that it is
 * something else.
 */
export const isRuledOut = (reading: Reading, field: Field, candidate: Candidate): boolean => {
  const { span } = candidate
  const [last] = (reading.labelsByRow.get(rowKey(span.page, span.row)) ?? [])
    .filter(({ span: { to } }) => (field.type === "identifier" ? to === span.from - 1 : to < span.from))
    .toSorted((a, b) => b.span.to - a.span.to)
  if (last !== undefined) return !last.label.names && last.label.field === field.name
  return isUnderOther(reading, field, candidate)
}
