import type { Box, Table } from "../../domain/DocumentIR.ts"
import type { RawPage, RawWord, Ruling } from "../formats/FormatReader.ts"
import { boxAround, cellText, median, withoutCaptions, withoutEmpty, type WordTable } from "./TableCells.ts"
import { type Grid, gridsOf } from "./TableGrids.ts"
import { alignedTables } from "./AlignedTables.ts"
import { uprightBox, uprightRuling } from "../layout/Upright.ts"
import { rowsOf } from "../layout/Rows.ts"
import { type Segment, segmentsOf } from "./TableColumns.ts"

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
const ruledTable = (grid: Grid, words: ReadonlyArray<RawWord>): WordTable | undefined => {
  const rows = withoutCaptions(withoutEmpty(fill(grid, words).flatMap(splitRow)))
  const width = rows[0]?.length ?? 0
  const filled = rows.flat().filter((cell) => cell.length > 0).length
  if (rows.length < 2 || width < 2 || filled < 4 || filled < 0.25 * rows.length * width) return undefined
  const [left = 0, right = 0] = [grid.xs[0], grid.xs.at(-1)]
  const [top = 0, bottom = 0] = [grid.ys[0], grid.ys.at(-1)]
  return { box: { x: left, y: top, w: right - left, h: bottom - top }, rows }
}

/** Pages with more words are lists of data or attacks: finding tables takes too long. */
const mostWords = 6000

const round = (value: number): number => Math.round(value * 100) / 100

const roundBox = ({ h, w, x, y }: Box): Box => ({ x: round(x), y: round(y), w: round(w), h: round(h) })

const isInside = (word: Box, box: Box): boolean => {
  const [x, y] = [word.x + word.w / 2, word.y + word.h / 2]
  return x >= box.x && x <= box.x + box.w && y >= box.y && y <= box.y + box.h
}

const foundIn = (words: ReadonlyArray<RawWord>, rulings: ReadonlyArray<Ruling>): ReadonlyArray<WordTable> => {
  const ruled: Array<WordTable> = []
  for (const grid of gridsOf(rulings)) {
    const table = ruledTable(grid, words)
    if (table !== undefined) ruled.push(table)
  }
  const rest = words.filter((word) => !ruled.some(({ box }) => isInside(word, box)))
  return [...ruled, ...alignedTables(rest, rulings)].toSorted(
    (a, b) => a.box.y - b.box.y || a.box.x - b.box.x
  )
}

/** The direction in which most words of a page run. */
const mainTurn = (words: ReadonlyArray<RawWord>): RawWord["turn"] => {
  const turns = [0, 1, 2, 3] as const
  const counts = turns.map((turn) => words.filter((word) => word.turn === turn).length)
  return turns[counts.indexOf(Math.max(...counts))] ?? 0
}

/**
 * Finds the tables of a page: in grids of drawn lines and, outside of them, in words aligned in columns. A page that is
 * printed sideways is read sideways.
 */
export const findTables = (page: RawPage): ReadonlyArray<Table> => {
  if (page.words.length < 4 || page.words.length > mostWords) return []
  const turn = mainTurn(page.words)
  const originals = new Map<RawWord, RawWord>()
  for (const word of page.words) {
    if (word.turn === turn) originals.set({ ...word, ...uprightBox(word, turn, page), turn: 0 }, word)
  }
  const rulings = (page.rulings ?? []).map((ruling) => uprightRuling(ruling, turn, page))
  return foundIn([...originals.keys()], rulings).map(({ rows }) => {
    const cells = rows.map((row) =>
      row.map((words) => {
        const boxes = words.map((word) => originals.get(word) ?? word)
        const text = cellText(words)
        return boxes.length === 0 ? { text } : { text, bbox: roundBox(boxAround(boxes)) }
      })
    )
    const boxes = cells.flatMap((row) => row.flatMap(({ bbox }) => (bbox === undefined ? [] : [bbox])))
    return { bbox: roundBox(boxAround(boxes)), rows: cells }
  })
}
