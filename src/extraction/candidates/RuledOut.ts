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
export const isUnderOther = (reading: Reading, field: Field, { bbox, span }: Candidate): boolean => {
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

/** Whether the label right in front of a value says that it is something else: `CIF: RO40117385`. */
export const isBehindOther = (reading: Reading, field: Field, { span }: Candidate): boolean =>
  (reading.labelsByRow.get(rowKey(span.page, span.row)) ?? []).some(
    ({ label, span: { to } }) => to === span.from - 1 && !label.names && label.field === field.name
  )

/** Whether a value is in another cell than a label of its row, and not in the next one. */
const isInCellFarther = (reading: Reading, label: LabelMatch, span: Span): boolean =>
  span.from > label.span.to + 1 &&
  phraseAt(reading, span, span.from) !== phraseAt(reading, span, label.span.to)

/**
 * Whether a label right before a value, or right above it as a heading is, says that it is something else. One two cells in front of it
 * says nothing: what is under a heading of its own, `heading`, is neither that of the labels of the field nor of those that rule it out.
 */
export const isRuledOut = (
  reading: Reading,
  field: Field,
  candidate: Candidate,
  place: "heading" | "anywhere" = "anywhere"
): boolean => {
  const { span } = candidate
  const [last] = (reading.labelsByRow.get(rowKey(span.page, span.row)) ?? [])
    .filter((match) => match.span.to < span.from)
    .toSorted((a, b) => b.span.to - a.span.to)
  const isApart =
    field.type === "identifier" &&
    last !== undefined &&
    (last.label.names || place === "heading") &&
    isInCellFarther(reading, last, span)
  if (last !== undefined && !isApart) return !last.label.names && last.label.field === field.name
  return isUnderOther(reading, field, candidate)
}
