import type { RawWord } from "../formats/FormatReader.ts"
import { rowsOf } from "../layout/Rows.ts"
import { median, withoutCaptions, withoutEmpty, type WordTable } from "./TableCells.ts"
import { type Segment, segmentsOf } from "./TableColumns.ts"
import type { Grid } from "./TableGrids.ts"

type Cells = Array<Array<ReadonlyArray<RawWord>>>

const bandOf = (edges: ReadonlyArray<number>, value: number): number | undefined => {
  const after = edges.findIndex((edge) => edge > value)
  return after > 0 ? after - 1 : undefined
}

/**
 * Assigns each word to its cell; cells without a line between them are one, and the first of them contains everything.
 */
const fill = (grid: Grid, words: ReadonlyArray<RawWord>): Cells => {
  const [rows, columns] = [grid.ys.length - 1, grid.xs.length - 1]
  const owner = Array.from({ length: rows * columns }, (_, i) => i)
  const rootOf = (i: number): number => {
    let root = i
    while (owner[root] !== root) root = owner[root] ?? root
    return root
  }
  // The smaller index is the upper left cell, which stays the owner.
  const join = (a: number, b: number) => {
    const [x, y] = [rootOf(a), rootOf(b)]
    owner[Math.max(x, y)] = Math.min(x, y)
  }
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column
      if (column + 1 < columns && !grid.wallAt(column + 1, row)) join(at, at + 1)
      if (row + 1 < rows && !grid.floorAt(row + 1, column)) join(at, at + columns)
    }
  }
  const cells: Array<Array<RawWord>> = Array.from({ length: rows * columns }, () => [])
  for (const word of words) {
    const row = bandOf(grid.ys, word.y + word.h / 2)
    const column = bandOf(grid.xs, word.x + word.w / 2)
    if (row === undefined || column === undefined) continue
    cells[rootOf(row * columns + column)]?.push(word)
  }
  return Array.from({ length: rows }, (_, row) =>
    spread(cells.slice(row * columns, (row + 1) * columns), grid)
  )
}

/** Splits a cell without lines into several columns, if its content has a gap at each of them. */
const spread = (row: ReadonlyArray<ReadonlyArray<RawWord>>, grid: Grid): Array<ReadonlyArray<RawWord>> => {
  const spreadOut: Array<Array<RawWord>> = row.map(() => [])
  for (const [column, cell] of row.entries()) {
    const segments = rowsOf(cell).flatMap((line) => segmentsOf(line.words))
    const places = segments.map((segment) => columnOf(segment, grid.xs))
    const apart = new Set(places).size > 1 && !places.includes(undefined)
    for (const [i, { words }] of segments.entries()) {
      const at = apart ? (places[i] ?? column) : column
      spreadOut[at]?.push(...words)
    }
  }
  return spreadOut
}

/** The column that contains a segment; undefined if it crosses a line between two. */
const columnOf = ({ from, to }: Segment, xs: ReadonlyArray<number>): number | undefined => {
  const column = bandOf(xs, (from + to) / 2)
  const [left, right] = column === undefined ? [] : [xs[column], xs[column + 1]]
  return left !== undefined && right !== undefined && from >= left - 2 && to <= right + 2 ? column : undefined
}

const isFigure = (text: string): boolean => /\d/u.test(text) && !/\p{L}{3,}/u.test(text)

/**
 * A row of the grid may contain several rows of the table, if only columns are ruled: then each of its lines fills
 * nearly all columns. Returns the positions between the lines, or none.
 */
const splitRow = (
  row: ReadonlyArray<ReadonlyArray<RawWord>>
): ReadonlyArray<ReadonlyArray<ReadonlyArray<RawWord>>> => {
  const filled = row.flatMap((cell, column) => (cell.length > 0 ? [{ column, cell }] : []))
  if (filled.length < 2) return [row]
  const lines = rowsOf(filled.flatMap(({ cell }) => cell))
  if (lines.length < 2) return [row]
  const columnOf = new Map(filled.flatMap(({ cell, column }) => cell.map((word) => [word, column] as const)))
  const split = lines.map((line) => {
    const cells: Array<Array<RawWord>> = row.map(() => [])
    for (const word of line.words) cells[columnOf.get(word) ?? 0]?.push(word)
    return cells
  })
  const counts = split.map((cells) => cells.filter((cell) => cell.length > 0).length)
  const full = counts.filter((count) => count >= 0.7 * filled.length).length
  const figures = median(
    split.map((cells) => {
      const texts = cells.filter((cell) => cell.length > 0)
      const some = texts.filter((cell) => isFigure(cell.map((word) => word.text).join(""))).length
      return some / Math.max(1, texts.length)
    })
  )
  const enough = lines.length >= 4 ? full >= 0.7 * lines.length : full === lines.length
  return enough && figures >= 0.5 ? split : [row]
}

/** The table in a grid; undefined if the grid is a frame around something else. */
export const ruledTable = (grid: Grid, words: ReadonlyArray<RawWord>): WordTable | undefined => {
  const rows = withoutCaptions(withoutEmpty(fill(grid, words).flatMap(splitRow)))
  const width = rows[0]?.length ?? 0
  const filled = rows.flat().filter((cell) => cell.length > 0).length
  if (rows.length < 2 || width < 2 || filled < 4 || filled < 0.25 * rows.length * width) return undefined
  const [left = 0, right = 0] = [grid.xs[0], grid.xs.at(-1)]
  const [top = 0, bottom = 0] = [grid.ys[0], grid.ys.at(-1)]
  return { box: { x: left, y: top, w: right - left, h: bottom - top }, rows }
}
