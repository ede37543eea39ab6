import type { Token } from "../layout/PageModel.ts"
import type { Heading } from "./TableHeader.ts"

/** The x at which two columns of a table meet. */
export interface ColumnEdge {
  readonly at: number
  /** No empty stretch runs down between the two columns: words may be in the wrong one. */
  readonly doubtful: boolean
}

interface Stretch {
  readonly from: number
  readonly to: number
  readonly count: number
}

type Rows = ReadonlyArray<ReadonlyArray<Token>>

/** How much of a letter's height the space in a number takes at most. */
const widestSpace = 0.56

/** The words of a row, the groups of a number as one: no two columns meet in `1 188,00`. */
const wordsOf = (row: ReadonlyArray<Token>): ReadonlyArray<{ readonly x: number; readonly w: number }> => {
  const words: Array<{ readonly x: number; readonly w: number }> = []
  for (const [i, token] of row.entries()) {
    const [before, last] = [row[i - 1], words.at(-1)]
    const goesOn =
      before !== undefined &&
      /^-?\d{1,3}$/u.test(before.text) &&
      /^\d{3}(?!\d)/u.test(token.text) &&
      token.x - (before.x + before.w) < widestSpace * token.h
    if (goesOn && last !== undefined) words[words.length - 1] = { x: last.x, w: token.x + token.w - last.x }
    else words.push(token)
  }
  return words
}

/** How many words there are at each x between `from` and `to`, as stretches of equal count. */
const coverage = (rows: Rows, from: number, to: number): Array<Stretch> => {
  const ends: Array<readonly [number, number]> = []
  for (const row of rows) {
    for (const { w, x } of wordsOf(row))
      if (x < to && x + w > from) ends.push([Math.max(x, from), 1], [x + w, -1])
  }
  const stretches: Array<Stretch> = []
  let [at, count] = [from, 0]
  for (const [x, change] of ends.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])) {
    if (x > at && at < to) stretches.push({ from: at, to: Math.min(x, to), count })
    at = Math.max(at, x)
    count += change
  }
  return at < to ? [...stretches, { from: at, to, count }] : stretches
}

/** Neighbouring stretches with no more than `most` words, joined; the widest of them. */
const widest = (stretches: ReadonlyArray<Stretch>, most: number): Stretch | undefined => {
  const joined: Array<Stretch> = []
  for (const stretch of stretches) {
    if (stretch.count > most) continue
    const last = joined.at(-1)
    if (last !== undefined && stretch.from - last.to < 0.01)
      joined[joined.length - 1] = { ...last, to: stretch.to }
    else joined.push(stretch)
  }
  return joined.toSorted((a, b) => b.to - b.from - (a.to - a.from))[0]
}

const textTypes: ReadonlySet<string> = new Set(["string", "identifier"])

/** Whether a column holds text, which grows to the right: by its type, or by what is under a heading without a name. */
const isText = ({ bbox, column }: Heading, rows: Rows): boolean => {
  if (column !== undefined) return textTypes.has(column.type)
  const under = rows.flatMap((row) => row.filter(({ w, x }) => x < bbox.x + bbox.w && x + w > bbox.x))
  return under.filter(({ text }) => /\p{L}{2}/u.test(text)).length > 0.5 * under.length
}

/** How many words of the lines between items are compared with each other: tables have fewer at one edge. */
const mostCompared = 200

/**
 * The x in an empty stretch that is nearest to the preferred one and cuts no word of the lines between the items, which may be
 * wider than those of the items: `01/07 a` above `31/07/2025`. The preferred one where there is none.
 */
const uncut = (preferred: number, { from, to }: Stretch, lines: Rows): number => {
  const words = lines
    .flat()
    .filter(({ w, x }) => x < to && x + w > from)
    .slice(0, mostCompared)
  const isCut = (at: number) => words.some(({ w, x }) => x < at && x + w > at)
  if (!isCut(preferred)) return preferred
  const others = words
    .flatMap(({ w, x }) => [x - 0.25, x + w + 0.25])
    .filter((at) => at >= from && at <= to && !isCut(at))
  return others.toSorted((a, b) => Math.abs(a - preferred) - Math.abs(b - preferred))[0] ?? preferred
}

const edgeBetween = (left: Heading, right: Heading, rows: Rows, lines: Rows, height: number): ColumnEdge => {
  const [from, to] = [left.bbox.x + left.bbox.w, right.bbox.x]
  if (to - from < 0.5) return { at: (from + to) / 2, doubtful: true }
  const stretches = coverage(rows, from, to)
  const free = widest(stretches, 0)
  const isFree = free !== undefined && free.to - free.from >= Math.min(0.15 * height, 0.5 * (to - from))
  // A row that reaches across, such as a remark, hides a gutter that the other rows show.
  const found = isFree ? free : (widest(stretches, Math.max(1, Math.floor(0.1 * rows.length))) ?? free)
  if (found === undefined) return { at: (from + to) / 2, doubtful: true }
  // Text may be longer in rows that are not known yet, and figures wider: the edge is close to what does not grow.
  const at = isText(left, rows)
    ? found.to - 0.25
    : isText(right, rows)
      ? found.from + 0.25
      : (found.from + found.to) / 2
  return { at: isFree ? uncut(at, found, lines) : at, doubtful: !isFree }
}

/**
 * Where the columns under some headings meet: for each two neighbours the widest empty stretch that runs down through
 * `rows` between the end of the left heading and the beginning of the right one, if possible where it cuts no word of the
 * `lines` between them. One edge fewer than headings.
 */
export const columnEdges = (
  headings: ReadonlyArray<Heading>,
  rows: Rows,
  lines: Rows,
  height: number
): ReadonlyArray<ColumnEdge> =>
  headings.slice(1).flatMap((right, i) => {
    const left = headings[i]
    return left === undefined ? [] : [edgeBetween(left, right, rows, lines, height)]
  })

/** The index of the column that a word is in: the one that holds its middle. */
export const columnAt = (edges: ReadonlyArray<ColumnEdge>, { w, x }: Token): number => {
  const index = edges.findIndex(({ at }) => x + w / 2 < at)
  return index < 0 ? edges.length : index
}

/** Whether a word lies across an edge between columns. */
export const isAcross = (edges: ReadonlyArray<ColumnEdge>, { w, x }: Token): boolean =>
  edges.some(({ at }) => x < at - 1 && x + w > at + 1)
