import type { Field } from "../lexicon/Field.ts"
import type { LabelMatch } from "../layout/LabelMatches.ts"
import { pageLanguages } from "../layout/PageLanguages.ts"
import type { Reading } from "../layout/Reading.ts"
import type { Relation } from "../layout/SpatialRelation.ts"
import { computeFeatures, type Features, type FeatureTable } from "../Features.ts"
import { type Candidate, rowKey } from "../layout/Candidate.ts"

/** How much speaks for the languages of a label in the document, 0–1; a flow's own labels are of every language. */
const agreement = (reading: Reading, field: Field, { label }: LabelMatch): number => {
  if (field.preset === undefined) return 1
  const tags = reading.lexicon.languagesOf(field.preset, label.folded)
  if (tags.size === 0 || tags.has("und")) return 1
  const languages = pageLanguages(reading)
  return languages.size === 0 ? 1 : Math.max(...[...tags].map((tag) => languages.get(tag) ?? 0))
}

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

/** A value near a label of its field, and how the two are placed. */
interface Labelled {
  readonly reading: Reading
  readonly field: Field
  readonly match: LabelMatch
  readonly candidate: Candidate
  readonly relation: Relation
}

/** What a label says about a value near it, for fields that labels find. */
const labelTable = {
  /** Has a label. */
  labelled: () => 1,
  /** How exactly the lexicon has the label, 0–1. */
  labelQuality: ({ match }) => match.quality,
  /** How surely the label means the field and nothing else, 0–1. */
  labelWeight: ({ match }) => match.label.weight,
  /** How well the value is placed next to its label, 0–1. */
  labelFit: ({ relation }) => relation.fit,
  /** In the row of its label. */
  labelInRow: ({ candidate, match }) => match.span.row === candidate.span.row,
  /** `labelFit` on a logarithmic scale. */
  fit: ({ relation }) => Math.log(Math.max(0.02, relation.fit)),
  /** Quality times weight of the label, on a logarithmic scale. */
  label: ({ match }) => Math.log(Math.max(0.02, match.quality * match.label.weight)),
  /** Below its label. */
  below: ({ relation }) => relation.position === "below",
  /** Distance from its label in the row. */
  gap: ({ relation }) => Math.min(1, 2 * relation.gap),
  /** Words between the two. */
  words: ({ relation }) => Math.min(4, relation.words),
  /** Lines between the two. */
  lines: ({ relation }) => Math.min(4, relation.lines),
  /** Other values between the two. */
  blocked: ({ relation }) => Math.min(3, relation.blocked),
  /** How little speaks for the language of the label in the document, 0–1. */
  foreign: ({ field, match, reading }) => 1 - agreement(reading, field, match),
  /** Length of the label. */
  longLabel: ({ match }) => Math.min(1, match.label.folded.length / 16),
  /** Labels of other fields that are nearer, or cover the same words. */
  rivals: ({ candidate, field, match, reading }) => Math.min(2, rivals(reading, field, match, candidate)),
  /** The label ends with a colon. */
  colon: ({ match: { span }, reading }) =>
    reading.pages[span.page]?.rows[span.row]?.[span.to]?.text.endsWith(":") === true
} satisfies FeatureTable<Labelled>

export type LabelFeature = keyof typeof labelTable

/** What a label says about a value near it. */
export const labelFeatures = (labelled: Labelled): Features => computeFeatures(labelTable, labelled)

/** Whether a label asks for a number: `Numer faktury`, `Rechnungsnummer`. */
export const asksForNumber = ({ label: { folded, names } }: LabelMatch): boolean =>
  names && (folded.startsWith("no") || folded.endsWith("no"))

/** How well a cell must be below a heading. */
const clearFit = 0.7

/** Few figures say nothing against a number right behind the word for it, or in the cell below: `Fattura n. 12`, `N. documento` above `617`. */
export const asNumberOf = (match: LabelMatch, { span, text }: Candidate, features: Features): Features => {
  if (!asksForNumber(match) || match.quality < 0.95 || !/^\d{1,4}$/u.test(text)) return features
  const down = span.row - match.span.row
  if (down < 0 || down > 1 || (down === 1 && (features.labelFit ?? 0) < clearFit)) return features
  if (down === 0 && span.from !== match.span.to + 1) return features
  const product = (features.product ?? 0) - (features.quality ?? 0)
  return { ...features, short: 0, quality: 0, product }
}
