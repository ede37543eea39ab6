import type { Page, Word } from "../../domain/DocumentIR.ts"
import type { LayoutWord } from "../../domain/LearnedExample.ts"
import { holds } from "../grounding/Place.ts"
import { pageWords } from "./PageWords.ts"
import { commonMarks, isMark } from "./Sender.ts"

/** The number of words that describe a layout. */
const mostWords = 80
/** The number of marks of its sender. */
const mostMarks = 16
/** The tolerance for words at the same position, in points. */
const samePlace = 8

/** Whether a word may be printed in every document of a layout; words with digits are not. */
const isConstant = ({ text }: Word): boolean =>
  /^\p{L}[\p{L}.:'’&/-]{2,}$|^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]{2}[.:：]?$/u.test(text)

const folded = (text: string): string => text.toLowerCase().replace(/[:.]+$/u, "")

const cents = (value: number): number => Math.round(value * 100) / 100

const layoutWord = ({ bbox, text }: Word): LayoutWord => ({
  text: folded(text),
  x: cents(bbox.x),
  y: cents(bbox.y)
})

/** Words that describe the layout of a page, and then the marks of its sender. */
export const layoutWords = (page: Page): ReadonlyArray<LayoutWord> => {
  const words = pageWords(page)
  const marks = words.filter((word) => !isConstant(word) && isMark(folded(word.text)))
  return [...words.filter(isConstant).slice(0, mostWords), ...marks.slice(0, mostMarks)].map(layoutWord)
}

const withoutMarks = (words: ReadonlyArray<LayoutWord>) => words.filter(({ text }) => !isMark(text))

/** A common mark of the sender counts as much as this share of common words. */
const weightOfMark = 0.1
const mostCounted = 2

/**
 * The share of an example's words that a page has at the same place across, and mostly also down, 0–1, and what common marks of
 * the sender add. Items have other words in every document, so a page of the same sender needs fewer common words.
 */
export const similarity = (example: ReadonlyArray<LayoutWord>, page: ReadonlyArray<LayoutWord>): number => {
  const known = withoutMarks(example)
  if (known.length === 0) return 0
  const printed = Map.groupBy(page, ({ text }) => text)
  const score = known.reduce((sum, word) => {
    const across = (printed.get(word.text) ?? []).filter(({ x }) => Math.abs(x - word.x) <= samePlace)
    if (across.length === 0) return sum
    // Anything below a table moves with the number of its rows.
    return sum + (across.some(({ y }) => Math.abs(y - word.y) <= samePlace) ? 1 : 0.7)
  }, 0)
  return score / known.length + weightOfMark * Math.min(mostCounted, commonMarks(example, page))
}

/**
 * Bands of hashes. Layouts that share half of their words almost surely have a band of two hashes in common; a band of four is
 * shared by few others, also where thousands of examples have many words in common.
 */
const bands = [...Array.from({ length: 16 }, () => 4), ...Array.from({ length: 16 }, () => 2)]

/** FNV-1a. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** One of many hashes of a hash: the finalizer of MurmurHash3. */
const mixed = (hash: number, seed: number): number => {
  let mix = hash ^ Math.imul(seed, 0x9e3779b1)
  mix = Math.imul(mix ^ (mix >>> 16), 0x85ebca6b)
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35)
  return (mix ^ (mix >>> 16)) >>> 0
}

/**
 * Keys by which similar layouts are found among many: MinHash with banding (Leskovec, Rajaraman and Ullman, Mining of Massive
 * Datasets, chapter 3) over the words and the third of the page's width in which they begin, and one key for each mark of the
 * sender.
 */
export const layoutKeys = (words: ReadonlyArray<LayoutWord>): ReadonlyArray<string> => {
  const shingles = [...new Set(withoutMarks(words).map(({ text, x }) => `${text}@${Math.round(x / 200)}`))]
  if (shingles.length === 0) return []
  const hashes = shingles.map(hashOf)
  const marks = [...new Set(words.map(({ text }) => text).filter(isMark))]
  const least = (seed: number): number =>
    hashes.reduce((smallest, hash) => Math.min(smallest, mixed(hash, seed)), 0xffffffff)
  return [
    ...bands.map((size, band) => {
      const seeds = Array.from({ length: size }, (_, at) => 4 * band + at + 1)
      return [band, ...seeds.map((seed) => least(seed).toString(36))].join(":")
    }),
    ...marks.map((mark) => `m:${hashOf(mark).toString(36)}`)
  ]
}

/** The words nearest to a position that are likely to be printed next to it in every document of the layout. */
export const anchorsOf = (page: Page, box: Word["bbox"]): ReadonlyArray<LayoutWord> => {
  const distance = ({ bbox }: Word): number => {
    const across = Math.max(0, box.x - (bbox.x + bbox.w), bbox.x - (box.x + box.w))
    const down = Math.max(0, box.y - (bbox.y + bbox.h), bbox.y - (box.y + box.h))
    // Words in the same row are the best anchors; words below move.
    return across + 3 * down + (bbox.y > box.y + box.h ? 40 : 0)
  }
  return pageWords(page)
    .filter((word) => isConstant(word) && !holds(box, word.bbox))
    .toSorted((one, other) => distance(one) - distance(other))
    .slice(0, 6)
    .map(({ bbox, text }) => ({ text: folded(text), x: cents(bbox.x), y: cents(bbox.y) }))
}

export { folded as foldedWord }
