import type { Token } from "../layout/PageModel.ts"
import type { Heading } from "./TableHeader.ts"

/** The x at which two columns of a table meet. */
export interface ColumnEdge {
  readonly at: number
  /** No empty stretch runs down between the two columns: words may be in the wrong one. */
  readonly doubtful: boolean
}

type Rows = ReadonlyArray<ReadonlyArray<Token>>

interface Stretch {
  readonly from: number
  readonly to: number
}

/** The widest stretch between two x's that is empty in all rows. */
const widestGap = (rows: Rows, from: number, to: number): Stretch => {
  const words = rows.flat().filter(({ w, x }) => x < to && x + w > from)
  let widest = { from, to: from }
  let end = from
  for (const { w, x } of [...words.toSorted((a, b) => a.x - b.x), { x: to, w: 0 }]) {
    if (x - end > widest.to - widest.from) widest = { from: end, to: x }
    end = Math.max(end, x + w)
  }
  return widest
}

/** The types of columns that hold text. */
export const textTypes: ReadonlySet<string> = new Set(["string", "identifier"])

/** Whether a column holds text, which grows to the right. */
const isText = ({ column }: Heading): boolean => column !== undefined && textTypes.has(column.type)

const edgeBetween = (left: Heading, right: Heading, rows: Rows, lines: Rows, height: number): ColumnEdge => {
  const [from, to] = [left.bbox.x + left.bbox.w, right.bbox.x]
  if (to - from < 0.5) return { at: (from + to) / 2, doubtful: true }
  const all = widestGap([...rows, ...lines], from, to)
  const gap = all.to > all.from ? all : widestGap(rows, from, to)
  const width = gap.to - gap.from
  if (width === 0) return { at: (from + to) / 2, doubtful: true }
  // Text may be longer in rows that are not known yet, and figures wider: the edge is close to what does not grow.
  const at = isText(left) ? gap.to - 0.25 : isText(right) ? gap.from + 0.25 : (gap.from + gap.to) / 2
  return { at, doubtful: width < Math.min(0.15 * height, 0.5 * (to - from)) }
}

/**
 * Where the columns under some headings meet: for each two neighbours the widest empty stretch that runs down through
 * `rows`, and if possible through the `lines` between them, between the end of the left heading and the beginning of the
 * right one. One edge fewer than headings.
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
