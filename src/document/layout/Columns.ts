import type { RawWord } from "../formats/FormatReader.ts"
import { type Row, rowOf, rowsOf } from "./Rows.ts"

/** An empty stretch between two words of a row, from `from` to `to`. */
interface Gap {
  readonly from: number
  readonly to: number
}

/** Rows `first` to `last` (inclusive) that a gutter divides into two columns. */
interface Band extends Gap {
  readonly first: number
  readonly last: number
}

const rightOf = (word: RawWord): number => word.x + word.w

const innerGaps = (row: Row, atLeast: number): Array<Gap> => {
  const sorted = row.words.toSorted((a, b) => a.x - b.x)
  const gaps: Array<Gap> = []
  let right = -Infinity
  for (const word of sorted) {
    if (right > -Infinity && word.x - right >= atLeast) gaps.push({ from: right, to: word.x })
    right = Math.max(right, rightOf(word))
  }
  return gaps
}

/** What is left of a gap when a row is laid over it, or undefined where a word stands in it. */
const narrowed = (gap: Gap, row: Row, atLeast: number): Gap | undefined => {
  let { from, to } = gap
  for (const word of row.words) {
    const right = rightOf(word)
    if (right <= from || word.x >= to) continue
    if (word.x + word.w / 2 < (from + to) / 2) from = Math.max(from, right)
    else to = Math.min(to, word.x)
    if (to - from < atLeast) return undefined
  }
  return { from, to }
}

const sides = (
  rows: ReadonlyArray<Row>,
  gap: Gap
): readonly [Array<Array<RawWord>>, Array<Array<RawWord>>] => {
  const middle = (gap.from + gap.to) / 2
  const left = rows
    .map((row) => row.words.filter((word) => word.x < middle))
    .filter((side) => side.length > 0)
  const right = rows
    .map((row) => row.words.filter((word) => word.x >= middle))
    .filter((side) => side.length > 0)
  return [left, right]
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Whether the words of a line follow each other as in a sentence, without a gap as between the cells of a table. */
const isRunning = (words: ReadonlyArray<RawWord>): boolean => {
  const sorted = words.toSorted((a, b) => a.x - b.x)
  return sorted.every((word, i) => {
    const before = sorted[i - 1]
    return before === undefined || word.x - rightOf(before) < word.h
  })
}

const startsWithLetter = /^[\p{L}("'„«]/u

/** Prose fills its column with running lines of several words; the columns of a table do not. */
const isProse = (side: ReadonlyArray<ReadonlyArray<RawWord>>): boolean => {
  if (side.length < 5) return false
  const widths = side.map(
    (words) => Math.max(...words.map(rightOf)) - Math.min(...words.map((word) => word.x))
  )
  const all = side.flat()
  return (
    all.length / side.length >= 3 &&
    all.filter((word) => startsWithLetter.test(word.text)).length >= 0.6 * all.length &&
    side.filter(isRunning).length >= 0.8 * side.length &&
    median(widths) >= 0.65 * Math.max(...widths)
  )
}

const bandFrom = (rows: ReadonlyArray<Row>, first: number, start: Gap, atLeast: number): Band => {
  let gap = start
  let last = first
  for (let i = first + 1; i < rows.length; i++) {
    const row = rows[i]
    const left = row === undefined ? undefined : narrowed(gap, row, atLeast)
    if (left === undefined) break
    gap = left
    last = i
  }
  return { ...gap, first, last }
}

const columnsBand = (rows: ReadonlyArray<Row>): Band | undefined => {
  const lineHeight = median(rows.map((row) => median(row.words.map((word) => word.h))))
  const atLeast = Math.max(6, 0.8 * lineHeight)
  for (const [first, row] of rows.entries()) {
    for (const gap of innerGaps(row, atLeast)) {
      const band = bandFrom(rows, first, gap, atLeast)
      if (band.last - band.first < 3) continue
      const [left, right] = sides(rows.slice(band.first, band.last + 1), band)
      if (isProse(left) && isProse(right)) return band
    }
  }
  return undefined
}

/**
 * Upright words in reading order, as rows. Where an empty gutter runs through several rows with prose on both sides,
 * the left column is read before the right one; everything else, tables and forms included, is read row by row.
 */
export const readingOrder = (words: ReadonlyArray<RawWord>, depth = 0): Array<Row> => {
  const rows = rowsOf(words)
  const band = depth > 8 || rows.length < 4 ? undefined : columnsBand(rows)
  if (band === undefined) return rows
  const inside = rows.slice(band.first, band.last + 1)
  const [left, right] = sides(inside, band)
  const after = rows.slice(band.last + 1)
  return [
    ...rows.slice(0, band.first).map((row) => rowOf(row.words)),
    ...readingOrder(left.flat(), depth + 1),
    ...readingOrder(right.flat(), depth + 1),
    ...(after.length === 0
      ? []
      : readingOrder(
          after.flatMap((row) => row.words),
          depth + 1
        ))
  ]
}
