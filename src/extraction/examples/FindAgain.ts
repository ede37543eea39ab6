import type { Box, Page, Word } from "../../domain/DocumentIR.ts"
import type { LearnedField, LayoutWord } from "../../domain/LearnedExample.ts"
import { foldedWord } from "./Layout.ts"
import { readLike } from "../values/PrintedValue.ts"
import { boxAround, isInRow, neighbours, pageWords } from "./PageWords.ts"

/** A value found at the position that an example suggests. */
export interface FoundAgain {
  readonly text: string
  readonly value: unknown
  readonly bbox: Box
  /** How well it fits what was learned, 0–13. */
  readonly fit: number
  /** The number of nearby words that agree on the position. */
  readonly agreeing: number
  /** Whether most words that were in its row, such as its label, are there again, if there were any. */
  readonly labelled: boolean
  /** Whether other places of the same amount contradict it. */
  readonly contested: boolean
}

interface Shift {
  readonly dx: number
  readonly dy: number
}

/** Anchors move no farther than this, in points. */
const farthest = { dx: 60, dy: 400 }
const together = 4

/** The words of a page by their folded text. */
type WordsByText = ReadonlyMap<string, ReadonlyArray<Word>>

const wordsByText = new WeakMap<Page, WordsByText>()

/** Grouped once for all fields of a page. */
const byTextOf = (page: Page): WordsByText => {
  const known = wordsByText.get(page) ?? Map.groupBy(pageWords(page), ({ text }) => foldedWord(text))
  wordsByText.set(page, known)
  return known
}

const shiftsOf = (anchor: LayoutWord, words: WordsByText): ReadonlyArray<Shift> =>
  (words.get(anchor.text) ?? [])
    .map(({ bbox }) => ({ dx: bbox.x - anchor.x, dy: bbox.y - anchor.y }))
    .filter(({ dx, dy }) => Math.abs(dx) <= farthest.dx && Math.abs(dy) <= farthest.dy)

const isClose = (one: Shift, other: Shift): boolean =>
  Math.abs(one.dx - other.dx) <= together && Math.abs(one.dy - other.dy) <= together

/** Words so far apart are in one row, in points. */
const sameRow = 6

/** A word in the same row moves with the value; one far above may stay where it is. */
const weightOf = ({ y }: LayoutWord, bbox: Box): number => {
  const down = Math.abs(y - bbox.y)
  return down <= sameRow ? 5 : down <= 30 ? 2 : 1
}

/** How far the words around a field moved: the shift on which most of them agree, or else the smallest. */
const shiftOf = ({ anchors, bbox }: LearnedField, words: WordsByText) => {
  const each = anchors.map((anchor) => ({
    weight: weightOf(anchor, bbox),
    shifts: shiftsOf(anchor, words)
  }))
  const voted = each
    .flatMap(({ shifts }) => shifts)
    .map((shift) => {
      const agreeing = each.filter(({ shifts }) => shifts.some((other) => isClose(shift, other)))
      return {
        shift,
        agreeing: agreeing.length,
        weight: agreeing.reduce((sum, { weight }) => sum + weight, 0)
      }
    })
  const [best] = voted.toSorted(
    (one, other) =>
      other.weight - one.weight ||
      Math.abs(one.shift.dx) + Math.abs(one.shift.dy) - Math.abs(other.shift.dx) - Math.abs(other.shift.dy)
  )
  return best
}

/** The tolerance for equal edges, in points. */
const sameEdge = 4
/** The most words of a value; it bounds the work on a long row. */
const mostWords = 12

const kindOf = (letter: string): string =>
  /\d/u.test(letter) ? "9" : /\p{Lu}/u.test(letter) ? "A" : /\p{L}/u.test(letter) ? "a" : letter

/** `2024-0815` and `2025-12` look the same: digits, a hyphen, digits. */
const shapeOf = (text: string): string =>
  [...text]
    .map(kindOf)
    .join("")
    .replace(/(.)\1+/gu, "$1")

interface Run {
  readonly words: ReadonlyArray<Word>
  readonly text: string
  readonly fit: number
}

const sameNeighbour = (one: string | undefined, other: string | undefined): number => {
  if (one === undefined || other === undefined) return one === other ? 2 : 0
  return foldedWord(one) === foldedWord(other) ? 2 : 0
}

/** How well a run of words in a row matches what was learned, by its edges, its neighbours and its text, 0–13. */
const fitOf = (learned: LearnedField, expected: Box, row: ReadonlyArray<Word>, from: number, to: number) => {
  const words = row.slice(from, to)
  const text = words.map((word) => word.text).join(" ")
  const { w, x } = boxAround(words)
  const { after, before } = neighbours(row, words)
  const onLeft = sameNeighbour(before, learned.before)
  const onRight = sameNeighbour(after, learned.after)
  // An edge inside a longer name is at the same position by chance.
  const left = onLeft > 0 && Math.abs(x - expected.x) <= sameEdge
  const right = onRight > 0 && Math.abs(x + w - expected.x - expected.w) <= sameEdge
  const points = [
    left ? 2 : 0,
    right ? 2 : 0,
    onLeft,
    onRight,
    // The same words may begin a longer name.
    text === learned.text && onLeft > 0 && onRight > 0 ? 3 : 0,
    // Names can have any shape; codes, dates and amounts keep theirs.
    /\d/u.test(text) && shapeOf(text) === shapeOf(learned.text) ? 2 : 0
  ]
  return { words, text, fit: points.reduce((sum, each) => sum + each, 0) }
}

const overlaps = ({ bbox }: Word, expected: Box): boolean =>
  Math.min(bbox.x + bbox.w, expected.x + expected.w) - Math.max(bbox.x, expected.x) > 0

/** A worse fit may be anything that happens to be printed there. */
const leastFit = 4

/** The run of words in a row that fits best and can be read as such a value. */
const bestRun = (learned: LearnedField, expected: Box, row: ReadonlyArray<Word>): Run | undefined => {
  const runs = row.flatMap((_, from) =>
    Array.from({ length: Math.min(mostWords, row.length - from) }, (__, more) => from + more + 1)
      .filter((to) => row.slice(from, to).some((word) => overlaps(word, expected)))
      .map((to) => fitOf(learned, expected, row, from, to))
  )
  return runs
    .filter(({ fit }) => fit >= leastFit)
    .toSorted((one, other) => other.fit - one.fit)
    .find(({ text }) => readLike(text, learned) !== undefined)
}

const findAt = (learned: LearnedField, page: Page): Omit<FoundAgain, "contested"> | undefined => {
  const words = byTextOf(page)
  const best = shiftOf(learned, words)
  if (best === undefined) return undefined
  const inRow = learned.anchors.filter(({ y }) => Math.abs(y - learned.bbox.y) <= sameRow)
  const found = inRow.filter((anchor) => shiftsOf(anchor, words).some((shift) => isClose(shift, best.shift)))
  const { bbox } = learned
  const { dx, dy } = best.shift
  const expected = { ...bbox, x: bbox.x + dx, y: bbox.y + dy }
  const row = pageWords(page)
    .filter((word) => isInRow(word, expected))
    .toSorted((one, other) => one.bbox.x - other.bbox.x)
  const run = bestRun(learned, expected, row)
  if (run === undefined) return undefined
  const { fit, text } = run
  return {
    text,
    value: readLike(text, learned),
    bbox: boxAround(run.words),
    fit,
    agreeing: best.agreeing,
    labelled: inRow.length === 0 || 2 * found.length > inRow.length
  }
}

/**
 * Finds a field on a page of the same layout: nearby words tell how far it moved, and what is printed there must match
 * what was learned. Of several places of an amount, most decide.
 */
export const findAgain = (learned: LearnedField, page: Page): FoundAgain | undefined => {
  const { others = [], ...own } = learned
  const found = [own, ...others.filter((other) => other.page === own.page)].flatMap(
    (place) => findAt({ ...own, ...place }, page) ?? []
  )
  const votes = [...Map.groupBy(found, ({ value }) => value).values()].toSorted(
    (one, other) => other.length - one.length
  )
  const [first] = votes[0] ?? []
  return first === undefined ? undefined : { ...first, contested: votes.length > 1 }
}
