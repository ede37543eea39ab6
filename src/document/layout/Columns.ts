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

/** Shares of the narrowest gap that a further row, and all rows together, must leave empty: ragged rows reach into it. */
const [leastOwn, leastShared] = [0.75, 0.6]

/** The part of a gap that is also empty in a row; undefined if a word covers it, or the row's own gap there is too narrow. */
const narrowed = (gap: Gap, row: Row, atLeast: number): Gap | undefined => {
  let { from, to } = gap
  const own = { from: -Infinity, to: Infinity }
  for (const word of row.words) {
    if (word.x + word.w / 2 < (from + to) / 2) {
      own.from = Math.max(own.from, rightOf(word))
      from = Math.max(from, own.from)
    } else {
      own.to = Math.min(own.to, word.x)
      to = Math.min(to, own.to)
    }
  }
  const isOpen = own.to - own.from >= leastOwn * atLeast && to - from >= leastShared * atLeast
  return isOpen ? { from, to } : undefined
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

/**
 * Whether the words of a line follow each other as in a sentence, without gaps like those between the cells of a table.
 */
const isRunning = (words: ReadonlyArray<RawWord>): boolean => {
  const sorted = words.toSorted((a, b) => a.x - b.x)
  return sorted.every((word, i) => {
    const before = sorted[i - 1]
    return before === undefined || word.x - rightOf(before) < word.h
  })
}

const startsWithLetter = /^[\p{L}("'„«「『（]/u

/** Scripts that have no spaces: about three characters are as much as a word. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu

const wordsIn = (words: ReadonlyArray<RawWord>): number =>
  words.reduce((sum, { text }) => sum + Math.max(1, (text.match(unspaced)?.length ?? 0) / 3), 0)

type Side = ReadonlyArray<ReadonlyArray<RawWord>>

/** Prose fills its column with running lines of several words; the columns of a table do not. */
const isProse = (side: Side): boolean => {
  if (side.length < 5) return false
  const widths = side.map(
    (words) => Math.max(...words.map(rightOf)) - Math.min(...words.map((word) => word.x))
  )
  const all = side.flat()
  return (
    wordsIn(all) / side.length >= 3 &&
    all.filter((word) => startsWithLetter.test(word.text)).length >= 0.6 * all.length &&
    side.filter(isRunning).length >= 0.8 * side.length &&
    median(widths) >= 0.65 * Math.max(...widths)
  )
}

const middleOf = (words: ReadonlyArray<RawWord>): number => median(words.map(({ h, y }) => y + h / 2))

/** Whether most lines of two sides are not level with each other, as those of a table and the text next to it. */
const isUneven = (rows: ReadonlyArray<Row>, gap: Gap): boolean => {
  const middle = (gap.from + gap.to) / 2
  const shifts = rows.flatMap(({ words }) => {
    const [left, right] = [words.filter(({ x }) => x < middle), words.filter(({ x }) => x >= middle)]
    const height = median(words.map(({ h }) => h))
    return left.length === 0 || right.length === 0
      ? []
      : [Math.abs(middleOf(left) - middleOf(right)) / height]
  })
  return shifts.length >= 3 && shifts.filter((shift) => shift > 0.08).length > 0.6 * shifts.length
}

/** The maximum number of columns next to each other. */
const mostColumns = 6

/** The maximum number of gaps to examine before the next columns are found: forms and tables have hundreds. */
const mostGaps = 120

/** The state of the search: the nesting depth of columns, and the number of gaps left to examine. */
interface Search {
  readonly depth: number
  readonly budget: { left: number }
}

/** Whether a gap separates columns: of prose on both sides, or of prose and lines at other heights. */
const areColumns = (rows: ReadonlyArray<Row>, gap: Gap, search: Search): boolean => {
  const [left, right] = sides(rows, gap)
  const [proseLeft, proseRight] = [isProse(left), isProse(right)]
  if (proseLeft && proseRight) return true
  if ((proseLeft || proseRight) && Math.min(left.length, right.length) >= 3 && isUneven(rows, gap))
    return true
  return (proseLeft || holdsColumns(left, search)) && (proseRight || holdsColumns(right, search))
}

/** Whether most rows on one side of a gap are themselves columns of prose. */
const holdsColumns = (side: Side, search: Search): boolean => {
  const words = side.flat()
  const lettered = words.filter(({ text }) => startsWithLetter.test(text)).length
  // Two columns of prose have at least three words each in a row.
  if (side.length < 5 || wordsIn(words) < 6 * side.length || lettered < 0.6 * words.length) return false
  if (search.depth >= mostColumns) return false
  const band = columnsBand(side.map(rowOf), { ...search, depth: search.depth + 1 })
  return band !== undefined && band.last - band.first + 1 >= 0.6 * side.length
}

/** Whether all that a row has in a gap is one or two signs between the columns: a stain, or a rule read as a letter. */
const holdsStrayMark = (row: Row, gap: Gap): boolean => {
  const inside = row.words.filter((word) => word.x < gap.to && rightOf(word) > gap.from)
  const [only] = inside
  return (
    inside.length === 1 &&
    only !== undefined &&
    only.text.length <= 2 &&
    only.x >= gap.from &&
    rightOf(only) <= gap.to
  )
}

const bandFrom = (rows: ReadonlyArray<Row>, first: number, start: Gap, atLeast: number): Band => {
  let gap = start
  let last = first
  for (let i = first + 1; i < rows.length; i++) {
    const row = rows[i]
    if (row === undefined) break
    const left = narrowed(gap, row, atLeast)
    if (left === undefined && !holdsStrayMark(row, gap)) break
    gap = left ?? gap
    last = i
  }
  return { ...gap, first, last }
}

/** Extends a band by rows right above it that leave its gap empty: the lines of two columns need not be level. */
const withRowsAbove = (rows: ReadonlyArray<Row>, band: Band): Band => {
  let { first } = band
  for (; first > 0; first--) {
    const [above, row] = [rows[first - 1], rows[first]]
    if (above === undefined || row === undefined || above.bottom <= row.top) break
    if (above.words.some((word) => word.x < band.to && rightOf(word) > band.from)) break
  }
  return { ...band, first }
}

const columnsBand = (rows: ReadonlyArray<Row>, search: Search): Band | undefined => {
  const lineHeight = median(rows.map((row) => median(row.words.map((word) => word.h))))
  const atLeast = Math.max(6, 0.62 * lineHeight)
  for (const [first, row] of rows.entries()) {
    for (const gap of innerGaps(row, atLeast)) {
      const band = bandFrom(rows, first, gap, atLeast)
      if (band.last - band.first < 3) continue
      if (search.budget.left-- <= 0) return undefined
      if (areColumns(rows.slice(band.first, band.last + 1), band, search)) return withRowsAbove(rows, band)
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
  const band =
    depth > 8 || rows.length < 4 ? undefined : columnsBand(rows, { depth: 0, budget: { left: mostGaps } })
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
