import { hash } from "node:crypto"
import type { Field } from "../lexicon/Field.ts"
import { type Lexicon, ofLexicon } from "../lexicon/Lexicon.ts"
import { KeySieve, keyOf } from "./KeySieve.ts"
import { labelsNear, type NearLabels, nearLabels } from "./NearLabels.ts"

/** One way to write the label of a field. `field` is undefined for labels that only rule others out. */
export interface Label {
  readonly field: string
  /** Whether it names the field, or something that must not be taken for it. */
  readonly names: boolean
  /** How surely it means the field, 0–1. */
  readonly weight: number
  readonly folded: string
  /** What follows behind a number (`Rechnung * vom`). */
  readonly later?: string
}

/** Labels by their folded text. */
export interface LabelIndex {
  readonly exact: ReadonlyMap<string, ReadonlyArray<Label>>
  /** The first letters and the lengths of those in `exact`: most strings of a page have those of none. */
  readonly beginnings: KeySieve
  /** The same for misspelt and misread ones. */
  readonly near: NearLabels
}

const beginningOf = (folded: string): number => keyOf(folded, 0, Math.min(3, folded.length), folded.length)

/** Long labels are surer than short ones, and the first of a list than the last. */
const weightOf = (folded: string, place: number): number =>
  (folded.length < 3 ? 0.65 : 0.84 + 0.16 * Math.min(1, folded.length / 10)) * (1 - 0.04 * place)

const labelsOf = (field: Field, { foldLabel }: Lexicon): Array<Label> => {
  const make =
    (names: boolean, factor: number) =>
    (text: string, place: number, all: ReadonlyArray<string>): Label => {
      const [head = "", tail] = text.split("*")
      const folded = foldLabel(head)
      const weight = factor * weightOf(foldLabel(text), place / all.length)
      const label = { field: field.name, names, weight, folded }
      return tail === undefined ? label : { ...label, later: foldLabel(tail) }
    }
  return [
    ...field.labels.map(make(true, 1)),
    ...field.weak.map(make(true, 0.85)),
    ...field.not.map(make(false, 1))
  ]
}

const indexesOf = ofLexicon(() => new Map<string, LabelIndex>())
const mostIndexes = 50

/** A field's labels as a string; hundreds of labels are written once for each field. */
const keysOfFields = new WeakMap<Field, string>()

const keyOfField = (field: Field): string => {
  const { labels, name, not, weak } = field
  const key = keysOfFields.get(field) ?? hash("sha256", JSON.stringify([name, labels, weak, not]))
  keysOfFields.set(field, key)
  return key
}

/**
 * Indexes the labels of all fields, so that a page is compared with all of them at once. The same flow asks for the same
 * labels again and again: the indexes of the last flows are kept.
 */
export const labelIndex = (fields: ReadonlyArray<Field>, lexicon: Lexicon): LabelIndex => {
  const indexes = indexesOf(lexicon)
  const key = fields.map(keyOfField).join(" ")
  const index = indexes.get(key) ?? makeIndex(fields, lexicon)
  indexes.delete(key)
  indexes.set(key, index)
  for (const oldest of indexes.keys()) {
    if (indexes.size <= mostIndexes) break
    indexes.delete(oldest)
  }
  return index
}

const makeIndex = (fields: ReadonlyArray<Field>, lexicon: Lexicon): LabelIndex => {
  const labels = fields.flatMap((field) => labelsOf(field, lexicon)).filter((label) => label.folded !== "")
  const exact = Map.groupBy(labels, (label) => label.folded)
  return { exact, beginnings: new KeySieve([...exact.keys()].map(beginningOf)), near: nearLabels(labels) }
}

/** Labels whose text is `folded`, or nearly so: one letter added, missing or wrong. */
export const lookUp = (
  { beginnings, exact, near }: LabelIndex,
  folded: string
): { labels: ReadonlyArray<Label>; exact: boolean } => {
  const labels = beginnings.passes(beginningOf(folded)) ? exact.get(folded) : undefined
  return labels === undefined ? { labels: labelsNear(near, folded), exact: false } : { labels, exact: true }
}
