import type { Box, Page, Word } from "../../domain/DocumentIR.ts"
import type { LearnedField, LayoutWord } from "../../domain/LearnedExample.ts"
import { foldedWord, pageWords } from "./Layout.ts"

/** A value where an example says that it is. */
export interface FoundAgain {
  readonly text: string
  readonly bbox: Box
  /** The number of words near by that agree on the place. */
  readonly agreeing: number
}

interface Shift {
  readonly dx: number
  readonly dy: number
}

/** Anchors move no farther than this, in points. */
const farthest = { dx: 60, dy: 400 }
const together = 4

const shiftsOf = (anchor: LayoutWord, words: ReadonlyArray<Word>): ReadonlyArray<Shift> =>
  words
    .filter(({ text }) => foldedWord(text) === anchor.text)
    .map(({ bbox }) => ({ dx: bbox.x - anchor.x, dy: bbox.y - anchor.y }))
    .filter(({ dx, dy }) => Math.abs(dx) <= farthest.dx && Math.abs(dy) <= farthest.dy)

const isClose = (one: Shift, other: Shift): boolean =>
  Math.abs(one.dx - other.dx) <= together && Math.abs(one.dy - other.dy) <= together

/** A word in the same row moves with the value; one far above may stay where it is. */
const weightOf = ({ y }: LayoutWord, bbox: Box): number => {
  const down = Math.abs(y - bbox.y)
  return down <= 6 ? 5 : down <= 30 ? 2 : 1
}

/** By how much the words around a field moved: the shift on which most of them agree, or else the smallest. */
const shiftOf = ({ anchors, bbox }: LearnedField, words: ReadonlyArray<Word>) => {
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

const isInRow = ({ bbox }: Word, row: Box): boolean => {
  const overlap = Math.min(bbox.y + bbox.h, row.y + row.h) - Math.max(bbox.y, row.y)
  return overlap > 0.5 * Math.min(bbox.h, row.h)
}

/** The words that begin where the value did, or end where it did, with those set close to them. */
const runAt = (row: ReadonlyArray<Word>, at: Box): ReadonlyArray<Word> => {
  const overlaps = row.map(({ bbox }) => Math.min(bbox.x + bbox.w, at.x + at.w) - Math.max(bbox.x, at.x) > 0)
  let from = overlaps.indexOf(true)
  let to = overlaps.lastIndexOf(true)
  if (from < 0) return []
  const gap = (index: number): number => {
    const [left, right] = [row[index]?.bbox, row[index + 1]?.bbox]
    if (left === undefined || right === undefined) return Infinity
    return (right.x - left.x - left.w) / Math.max(left.h, right.h)
  }
  const isLabel = (index: number): boolean => row[index]?.text.endsWith(":") ?? true
  while (from > 0 && gap(from - 1) < 0.6 && !isLabel(from - 1)) from--
  while (to < row.length - 1 && gap(to) < 0.6 && !isLabel(to + 1)) to++
  return row.slice(from, to + 1)
}

const cents = (value: number): number => Math.round(value * 100) / 100

const around = (words: ReadonlyArray<Word>): Box => {
  const x = Math.min(...words.map(({ bbox }) => bbox.x))
  const y = Math.min(...words.map(({ bbox }) => bbox.y))
  return {
    x,
    y,
    w: cents(Math.max(...words.map(({ bbox }) => bbox.x + bbox.w)) - x),
    h: cents(Math.max(...words.map(({ bbox }) => bbox.y + bbox.h)) - y)
  }
}

/** Finds a field on a page of the same layout: the words near by tell how far it moved. */
export const findAgain = (learned: LearnedField, page: Page): FoundAgain | undefined => {
  const words = pageWords(page)
  const best = shiftOf(learned, words)
  if (best === undefined) return undefined
  const { bbox } = learned
  const { dx, dy } = best.shift
  const expected = { ...bbox, x: bbox.x + dx, y: bbox.y + dy }
  const row = words
    .filter((word) => isInRow(word, expected))
    .toSorted((one, other) => one.bbox.x - other.bbox.x)
  const run = runAt(row, expected)
  if (run.length === 0) return undefined
  return { text: run.map(({ text }) => text).join(" "), bbox: around(run), agreeing: best.agreeing }
}
