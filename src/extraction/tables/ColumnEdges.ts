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

/** How many words there are at each x between `from` and `to`, as stretches of equal count. */
const coverage = (rows: Rows, from: number, to: number): Array<Stretch> => {
  const ends: Array<readonly [number, number]> = []
  for (const row of rows) {
    for (const { w, x } of row) if (x < to && x + w > from) ends.push([Math.max(x, from), 1], [x + w, -1])
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

/** Whether a column holds text, which grows to the right. */
const isText = ({ column }: Heading): boolean => column !== undefined && textTypes.has(column.type)

const edgeBetween = (left: Heading, right: Heading, rows: Rows, height: number): ColumnEdge => {
  const [from, to] = [left.bbox.x + left.bbox.w, right.bbox.x]
  if (to - from < 0.5) return { at: (from + to) / 2, doubtful: true }
  const stretches = coverage(rows, from, to)
  const free = widest(stretches, 0)
  const isFree = free !== undefined && free.to - free.from >= Math.min(0.15 * height, 0.5 * (to - from))
  // A row that reaches across, such as a remark, hides a gutter that the other rows show.
  const found = isFree ? free : (widest(stretches, Math.max(1, Math.floor(0.1 * rows.length))) ?? free)
  if (found === undefined) return { at: (from + to) / 2, doubtful: true }
  // Text may be longer in rows that are not known yet, and figures wider: the edge is close to what does not grow.
  const at = isText(left) ? found.to - 0.25 : isText(right) ? found.from + 0.25 : (found.from + found.to) / 2
  return { at, doubtful: !isFree }
}

/**
 * Where the columns under some headings meet: for each two neighbours the widest empty stretch that runs down through
 * `rows` between the end of the left heading and the beginning of the right one. One edge fewer than headings.
 */
export const columnEdges = (
  headings: ReadonlyArray<Heading>,
  rows: Rows,
  height: number
): ReadonlyArray<ColumnEdge> =>
  headings.slice(1).flatMap((right, i) => {
    const left = headings[i]
    return left === undefined ? [] : [edgeBetween(left, right, rows, height)]
  })

/** The index of the column that a word is in: the one that holds its middle. */
export const columnAt = (edges: ReadonlyArray<ColumnEdge>, { w, x }: Token): number => {
  const index = edges.findIndex(({ at }) => x + w / 2 < at)
  return index < 0 ? edges.length : index
}

/** Whether a word lies across an edge between columns. */
export const isAcross = (edges: ReadonlyArray<ColumnEdge>, { w, x }: Token): boolean =>
  edges.some(({ at }) => x < at - 1 && x + w > at + 1)
