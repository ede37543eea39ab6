import { hash } from "node:crypto"
import type { Field } from "../Field.ts"
import { type Lexicon, ofLexicon } from "../lexicon/Lexicon.ts"

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

/** The edges of labels, with the lengths of strings that may be one of them with one letter added, missing or wrong. */
type Edges = ReadonlyMap<string, ReadonlySet<number>>

/** Labels by their folded text. */
export interface LabelIndex {
  readonly exact: ReadonlyMap<string, ReadonlyArray<Label>>
  /** The first letters of those in `exact`: most strings of a page begin like none of them. */
  readonly beginnings: ReadonlySet<string>
  /** The same with one letter left out, for misspelt and misread ones. */
  readonly nearly: ReadonlyMap<string, ReadonlyArray<Label>>
  /** The first and the last letters of those in `nearly`. One wrong letter leaves one of the two as it is. */
  readonly first: Edges
  readonly last: Edges
}

const shortestForgiving = 7

/**
 * The first and the last letters of a string: three of a short one, five of a long one. One wrong letter changes at most
 * one of the two. Labels at the border count as both, because a letter may be missing or added.
 */
const edgesOf = (folded: string, isLong: boolean): readonly [string, string] => {
  const edge = isLong ? 5 : 3
  return [folded.slice(0, edge), folded.slice(-edge)]
}
const longFrom = 12

const beginningOf = (folded: string): string => folded.slice(0, 3)

/** All forms of a string with one letter left out. */
const withoutOne = (text: string): Array<string> =>
  Array.from({ length: text.length }, (_, i) => text.slice(0, i) + text.slice(i + 1))

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

const keyOf = (field: Field): string => {
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
  const key = fields.map(keyOf).join(" ")
  const index = indexes.get(key) ?? makeIndex(fields, lexicon)
  indexes.delete(key)
  indexes.set(key, index)
  for (const oldest of indexes.keys()) {
    if (indexes.size <= mostIndexes) break
    indexes.delete(oldest)
  }
  return index
}

const add = (edges: Map<string, Set<number>>, edge: string, length: number): void => {
  const lengths = edges.get(edge) ?? new Set()
  edges.set(
    edge,
    lengths
      .add(length - 1)
      .add(length)
      .add(length + 1)
  )
}

const makeIndex = (fields: ReadonlyArray<Field>, lexicon: Lexicon): LabelIndex => {
  const labels = fields.flatMap((field) => labelsOf(field, lexicon)).filter((label) => label.folded !== "")
  const exact = Map.groupBy(labels, (label) => label.folded)
  const beginnings = new Set([...exact.keys()].map(beginningOf))
  const nearly = new Map<string, Array<Label>>()
  const [first, last] = [new Map<string, Set<number>>(), new Map<string, Set<number>>()]
  for (const label of labels) {
    if (label.later !== undefined || label.folded.length < shortestForgiving) continue
    const { length } = label.folded
    for (const isLong of [false, true]) {
      if (isLong ? length < longFrom - 1 : length > longFrom) continue
      const [start, end] = edgesOf(label.folded, isLong)
      add(first, start, length)
      add(last, end, length)
    }
    for (const form of [label.folded, ...withoutOne(label.folded)]) {
      const same = nearly.get(form)
      if (same === undefined) nearly.set(form, [label])
      else same.push(label)
    }
  }
  return { exact, beginnings, nearly, first, last }
}

const none: { readonly labels: ReadonlyArray<Label>; readonly exact: boolean } = { labels: [], exact: false }

/** Labels whose text is `folded`, or nearly so: one letter added, missing or wrong. */
export const lookUp = (
  index: LabelIndex,
  folded: string
): { labels: ReadonlyArray<Label>; exact: boolean } => {
  const exact = index.beginnings.has(beginningOf(folded)) ? index.exact.get(folded) : undefined
  if (exact !== undefined) return { labels: exact, exact: true }
  const { length } = folded
  if (length < shortestForgiving) return none
  const [first, last] = edgesOf(folded, length >= longFrom)
  const mayBeNear = index.first.get(first)?.has(length) === true || index.last.get(last)?.has(length) === true
  if (!mayBeNear || /\d/u.test(folded)) return none
  for (const form of [folded, ...withoutOne(folded)]) {
    const near = index.nearly.get(form)
    if (near !== undefined) return { labels: near, exact: false }
  }
  return none
}
