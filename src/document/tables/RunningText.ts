import type { RawWord } from "../formats/FormatReader.ts"
import type { Column } from "./TableColumns.ts"
import type { Line } from "./TableRows.ts"

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
export const isRunningText = (lines: ReadonlyArray<Line>, columns: ReadonlyArray<Column>): boolean =>
  columns.every((column, i) => {
    const cells = lines.flatMap(({ cells, spans }) => {
      const cell = cells[i] ?? []
      return spans || cell.length === 0 ? [] : [cell]
    })
    return cells.length >= 4 && isRunning(cells, column)
  })
