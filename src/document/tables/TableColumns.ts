import type { RawWord } from "../formats/FormatReader.ts"
import { median } from "./TableCells.ts"

/** A group of close words in a row. */
export interface Segment {
  readonly words: ReadonlyArray<RawWord>
  readonly from: number
  readonly to: number
}

/** Where a column of a table lies. */
export interface Column {
  readonly from: number
  readonly to: number
}

const segmentOf = (words: ReadonlyArray<RawWord>): Segment => ({
  words,
  from: Math.min(...words.map(({ x }) => x)),
  to: Math.max(...words.map(({ x, w }) => x + w))
})

/** Splits a row where words are further apart than in a sentence. */
export const segmentsOf = (words: ReadonlyArray<RawWord>, factor = 0.6): Array<Segment> => {
  const sorted = words.toSorted((a, b) => a.x - b.x)
  const height = median(sorted.map(({ h }) => h))
  const segments: Array<Segment> = []
  let open: Array<RawWord> = []
  let right = -Infinity
  for (const word of sorted) {
    if (open.length > 0 && word.x - right > factor * height) {
      segments.push(segmentOf(open))
      open = []
      right = -Infinity
    }
    open.push(word)
    right = Math.max(right, word.x + word.w)
  }
  if (open.length > 0) segments.push(segmentOf(open))
  return segments
}

interface Stretch extends Column {
  readonly count: number
}

/** The number of rows with a word at each x, as intervals of equal count. */
const coverage = (rows: ReadonlyArray<ReadonlyArray<Segment>>, { from, to }: Column): Array<Stretch> => {
  const edges = rows.flatMap((row) =>
    row.flatMap((segment) => {
      const [left, right] = [Math.max(from, segment.from), Math.min(to, segment.to)]
      return left < right ? [[left, 1] as const, [right, -1] as const] : []
    })
  )
  const stretches: Array<Stretch> = []
  let [at, count] = [from, 0]
  for (const [x, change] of edges.toSorted((a, b) => a[0] - b[0] || b[1] - a[1])) {
    if (x > at) stretches.push({ from: at, to: x, count })
    at = Math.max(at, x)
    count += change
  }
  if (at < to) stretches.push({ from: at, to, count: 0 })
  return stretches
}

/** The number of rows with a segment that lies within a column, or nearly. */
const support = (rows: ReadonlyArray<ReadonlyArray<Segment>>, column: Column): number =>
  rows.filter((row) => row.some(({ from, to }) => from >= column.from - 2 && to <= column.to + 2)).length

const gutters = (
  rows: ReadonlyArray<ReadonlyArray<Segment>>,
  column: Column,
  most: number,
  atLeast: number
): Array<Column> => {
  const found: Array<{ from: number; to: number }> = []
  for (const { count, from, to } of coverage(rows, column)) {
    if (count > most) continue
    const last = found.at(-1)
    if (last !== undefined && from - last.to < 0.01) last.to = to
    else found.push({ from, to })
  }
  return found.filter(({ from, to }) => to - from >= atLeast && from > column.from && to < column.to)
}

/** Splits a column at gutters that up to `most` rows reach across, if what is left and right of one is a column. */
const split = (
  rows: ReadonlyArray<ReadonlyArray<Segment>>,
  column: Column,
  most: number,
  height: number
): Array<Column> => {
  if (most > 0 && rows.length < 3) return [column]
  const needed = most === 0 ? 1 : Math.max(2, 0.3 * rows.length)
  const candidates = gutters(rows, column, most, (most === 0 ? 0.3 : 0.5) * height)
  const widest = candidates.toSorted((a, b) => b.to - b.from - (a.to - a.from))
  for (const gutter of widest) {
    const left = { from: column.from, to: gutter.from }
    const right = { from: gutter.to, to: column.to }
    if (support(rows, left) < needed || support(rows, right) < needed) continue
    return [...split(rows, left, most, height), ...split(rows, right, most, height)]
  }
  return [column]
}

/**
 * The columns of rows that are under each other: split at gutters that no row crosses, then at those that only a few
 * rows cross, as headings over several columns do.
 */
export const columnsOf = (rows: ReadonlyArray<ReadonlyArray<Segment>>, height: number): Array<Column> => {
  const all = rows.flat()
  if (all.length === 0) return []
  const whole = {
    from: Math.min(...all.map(({ from }) => from)),
    to: Math.max(...all.map(({ to }) => to))
  }
  const few = Math.floor(rows.length >= 4 ? Math.max(1, 0.2 * rows.length) : 0)
  return split(rows, whole, 0, height)
    .flatMap((column) => (few === 0 ? [column] : split(rows, column, few, height)))
    .map((column) => tight(rows, column))
}

/** A column without the empty space at its sides. */
const tight = (rows: ReadonlyArray<ReadonlyArray<Segment>>, column: Column): Column => {
  const inside = rows.flat().filter(({ from, to }) => from >= column.from - 2 && to <= column.to + 2)
  return inside.length === 0
    ? column
    : { from: Math.min(...inside.map(({ from }) => from)), to: Math.max(...inside.map(({ to }) => to)) }
}
