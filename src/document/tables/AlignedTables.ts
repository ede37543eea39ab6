import type { RawWord, Ruling } from "../formats/FormatReader.ts"
import { type Row, rowsOf } from "../layout/Rows.ts"
import { boxAround, median, withoutCaptions, withoutEmpty, type WordTable } from "./TableCells.ts"
import { type Column, columnsOf, type Segment, segmentsOf } from "./TableColumns.ts"
import { type Line, mergeLines } from "./TableRows.ts"

/** Words of a line, on average, below which a column holds names or figures rather than sentences. */
const fewWords = 3
/** The share of a column's width that a line of text fills unless it ends a paragraph, and the share of lines that do. */
const filled = 0.75
const mostly = 0.6

const widthOf = (words: ReadonlyArray<RawWord>): number =>
  Math.max(...words.map(({ x, w }) => x + w)) - Math.min(...words.map(({ x }) => x))

const isRunning = (cells: ReadonlyArray<ReadonlyArray<RawWord>>, { from, to }: Column): boolean => {
  const words = cells.reduce((sum, cell) => sum + cell.length, 0)
  const full = cells.filter((cell) => widthOf(cell) >= filled * (to - from))
  return words >= fewWords * cells.length && full.length >= mostly * cells.length
}

/**
 * Whether every column is text that runs on from line to line, as in a newspaper: its lines are several words, and most reach
 * from one side of the column to the other. Cells of a table end where their value ends.
 */
const isRunningText = (lines: ReadonlyArray<Line>, columns: ReadonlyArray<Column>): boolean =>
  columns.every((column, i) => {
    const cells = lines.flatMap(({ cells, spans }) => {
      const cell = cells[i] ?? []
      return spans || cell.length === 0 ? [] : [cell]
    })
    return cells.length >= 4 && isRunning(cells, column)
  })

interface SegmentedRow extends Row {
  readonly segments: ReadonlyArray<Segment>
}

/** A gap between rows that ends a table, in line heights. */
const widestGap = 2.6

const isProse = ({ segments, words }: SegmentedRow, width: number): boolean => {
  const [only] = segments
  return (
    segments.length === 1 && only !== undefined && words.length >= 6 && only.to - only.from > 0.55 * width
  )
}

/** Runs of rows with gaps; a few rows without gaps, such as headings inside the table, may be between them. */
const blocksOf = (rows: ReadonlyArray<SegmentedRow>, height: number): Array<Array<SegmentedRow>> => {
  const blocks: Array<Array<SegmentedRow>> = []
  let block: Array<SegmentedRow> = []
  let pending: Array<SegmentedRow> = []
  const width =
    Math.max(0, ...rows.flatMap(({ segments }) => segments.map(({ to }) => to))) -
    Math.min(Infinity, ...rows.flatMap(({ segments }) => segments.map(({ from }) => from)))
  const flush = () => {
    if (block.filter(({ segments }) => segments.length > 1).length >= 2) blocks.push(block)
    block = []
    pending = []
  }
  let before: SegmentedRow | undefined
  for (const row of rows) {
    if (before !== undefined && row.top - before.bottom > widestGap * height) flush()
    before = row
    if (row.segments.length > 1) {
      block.push(...pending, row)
      pending = []
    } else if (block.length > 0) {
      pending.push(row)
      if (pending.length > 3 || isProse(row, width)) flush()
    }
  }
  flush()
  return blocks
}

/** Assigns the words of a row to columns; a segment over several is in the first of them. */
const intoColumns = (row: SegmentedRow, columns: ReadonlyArray<Column>, height: number): Line => {
  const cells: Array<Array<RawWord>> = columns.map(() => [])
  let spans = false
  for (const segment of row.segments) {
    const touched = columns.flatMap((column, i) =>
      Math.min(column.to, segment.to) - Math.max(column.from, segment.from) > 0.5 ? [i] : []
    )
    const [first] = touched
    if (first === undefined) {
      nearest(cells, columns, segment)?.push(...segment.words)
    } else if (touched.length === 1) cells[first]?.push(...segment.words)
    else {
      const parts = partsOf(segment, columns, touched, height)
      if (parts === undefined) {
        spans = true
        cells[first]?.push(...segment.words)
      } else for (const [i, words] of parts) cells[i]?.push(...words)
    }
  }
  return { cells, spans, top: row.top, bottom: row.bottom }
}

const nearest = (cells: Array<Array<RawWord>>, columns: ReadonlyArray<Column>, segment: Segment) => {
  const middle = (segment.from + segment.to) / 2
  const away = columns.map(({ from, to }) => Math.max(from - middle, middle - to))
  return cells[away.indexOf(Math.min(...away))]
}

/** The words of a segment by column, if it has a gap at every gutter it crosses; a heading over columns has none. */
const partsOf = (
  { words }: Segment,
  columns: ReadonlyArray<Column>,
  touched: ReadonlyArray<number>,
  height: number
): ReadonlyMap<number, ReadonlyArray<RawWord>> | undefined => {
  const parts = new Map<number, Array<RawWord>>()
  for (const word of words) {
    const own = touched.filter((i) => {
      const column = columns[i]
      return column !== undefined && word.x < column.to - 0.5 && word.x + word.w > column.from + 0.5
    })
    const [i] = own
    if (own.length !== 1 || i === undefined) return undefined
    parts.set(i, [...(parts.get(i) ?? []), word])
  }
  const runs = [...parts.values()]
  const apart = runs.every((run, i) => {
    const before = runs[i - 1]?.at(-1)
    const first = run[0]
    return before === undefined || first === undefined || first.x - before.x - before.w > 0.33 * height
  })
  return apart ? parts : undefined
}

const isMarker = (words: ReadonlyArray<RawWord>): boolean =>
  words.length === 1 && /^(?:[•·▪●○–—*-]|\(?(?:\d{1,3}|[a-z]|[ivx]+)[.)])$/iu.test(words[0]?.text ?? "")

const isFigure = (words: ReadonlyArray<RawWord>): boolean => {
  const text = words.map((word) => word.text).join("")
  return /\d/u.test(text) && (text.match(/\p{L}/gu)?.length ?? 0) <= 0.4 * text.length
}

/** Whether cells form a table, rather than text in columns, a list, or a few words with gaps. */
const isTable = (lines: ReadonlyArray<Line>, columns: number): boolean => {
  const several = lines.filter(({ cells }) => cells.filter((cell) => cell.length > 0).length >= 2)
  if (columns < 2 || several.length < 3) return false
  const body = lines.flatMap(({ cells }) => cells.slice(1)).filter((cell) => cell.length > 0)
  const figures = body.filter(isFigure).length / Math.max(1, body.length)
  const first = lines.map(({ cells }) => cells[0] ?? []).filter((cell) => cell.length > 0)
  if (columns === 2 && first.filter(isMarker).length > 0.6 * first.length) return false
  if (figures >= 0.4) return true
  const long = body.filter((cell) => cell.length >= 6).length / Math.max(1, body.length)
  const dense = several.length / lines.length
  return columns === 2 ? long < 0.15 && dense >= 0.6 && several.length >= 4 : long < 0.5 && dense >= 0.5
}

/**
 * Finds tables without lines around them: rows with gaps that are below each other. Lines across the table separate its
 * rows.
 */
export const alignedTables = (
  words: ReadonlyArray<RawWord>,
  rulings: ReadonlyArray<Ruling>
): Array<WordTable> => {
  const height = median(words.map(({ h }) => h))
  const rows = rowsOf(words).map((row): SegmentedRow =>
    Object.assign(row, { segments: segmentsOf(row.words) })
  )
  return blocksOf(rows, height).flatMap((block) => {
    const several = block.filter(({ segments }) => segments.length > 1)
    const columns = columnsOf(
      several.map(({ segments }) => segments),
      height
    )
    const lines = block.map((row) => intoColumns(row, columns, height))
    if (!isTable(lines, columns.length) || isRunningText(lines, columns)) return []
    const cells = withoutCaptions(withoutEmpty(mergeLines(lines, rulings, height)))
    if (cells.length < 2) return []
    return [{ box: boxAround(block.flatMap((row) => row.words)), rows: cells }]
  })
}
