import type { Field } from "../lexicon/Field.ts"
import type { LabelMatch } from "../layout/LabelMatches.ts"
import { pageLanguages } from "../layout/PageLanguages.ts"
import type { Reading } from "../layout/Reading.ts"
import type { Relation } from "../layout/SpatialRelation.ts"
import type { Features } from "../models/Scoring.ts"
import { type Candidate, rowKey } from "../layout/Candidate.ts"

const yes = (is: boolean): number => (is ? 1 : 0)

/** How much speaks for the languages of a label in the document, 0–1; a flow's own labels are of every language. */
const agreement = (reading: Reading, field: Field, { label }: LabelMatch): number => {
  if (field.preset === undefined) return 1
  const tags = reading.lexicon.languagesOf(field.preset, label.folded)
  if (tags.size === 0 || tags.has("und")) return 1
  const languages = pageLanguages(reading)
  return languages.size === 0 ? 1 : Math.max(...[...tags].map((tag) => languages.get(tag) ?? 0))
}

/** Whether a value under a label has a label of its own before it, in its own row. */
const isClaimed = (reading: Reading, field: Field, match: LabelMatch, { span }: Candidate): boolean =>
  span.row !== match.span.row &&
  (reading.labelsByRow.get(rowKey(span.page, span.row)) ?? []).some(
    (other) => other.span.from < span.from && (other.label.field !== field.name || !other.label.names)
  )

/** Whether another field's label is nearer to the value, or covers the same words. */
const rivals = (reading: Reading, field: Field, match: LabelMatch, { span }: Candidate): number =>
  (reading.labelsByRow.get(rowKey(match.span.page, match.span.row)) ?? []).filter(
    ({ label, span: own }) =>
      label.field !== field.name &&
      label.names &&
      (span.row === match.span.row
        ? own.from > match.span.to && own.to < span.from
        : own.from <= match.span.to && own.to >= match.span.from)
  ).length

/** What a label says about a value near it. */
export const labelFeatures = (
  reading: Reading,
  field: Field,
  match: LabelMatch,
  candidate: Candidate,
  relation: Relation
): Features => ({
  labelled: 1,
  labelQuality: match.quality,
  labelWeight: match.label.weight,
  labelFit: relation.fit,
  labelInRow: yes(match.span.row === candidate.span.row),
  fit: Math.log(Math.max(0.02, relation.fit)),
  label: Math.log(Math.max(0.02, match.quality * match.label.weight)),
  below: yes(relation.position === "below"),
  gap: Math.min(1, 2 * relation.gap),
  words: Math.min(4, relation.words),
  lines: Math.min(4, relation.lines),
  blocked: Math.min(3, relation.blocked),
  foreign: 1 - agreement(reading, field, match),
  longLabel: Math.min(1, match.label.folded.length / 16),
  claimed: yes(isClaimed(reading, field, match, candidate)),
  rivals: Math.min(2, rivals(reading, field, match, candidate)),
  colon: yes(
    reading.pages[match.span.page]?.rows[match.span.row]?.[match.span.to]?.text.endsWith(":") === true
  )
})
