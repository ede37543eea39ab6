import type { Box } from "../../domain/DocumentIR.ts"
import type { Column } from "./Field.ts"
import { fold } from "./Fold.ts"
import { around, type PageModel, type Token } from "./PageModel.ts"

/** A heading of a table: the column it names, or none where the table has more columns than were asked for. */
export interface Heading {
  readonly column?: Column
  readonly bbox: Box
  readonly quality: number
}

/** A table's headings, from left to right, and the rows they stand in. */
export interface TableHeader {
  readonly firstRow: number
  readonly lastRow: number
  readonly headings: ReadonlyArray<Heading>
}

interface Cell {
  readonly bbox: Box
  readonly text: string
}

/** The phrases of some rows, those above each other joined: `Unit` over `Price` is one heading. */
const cellsOf = (rows: ReadonlyArray<ReadonlyArray<Token>>): Array<Cell> => {
  const cells: Array<{ tokens: Array<Token>; bbox: Box }> = []
  for (const row of rows) {
    for (const tokens of Map.groupBy(row, (token) => token.phrase).values()) {
      const bbox = around(tokens)
      const over = cells.find(
        (cell) =>
          bbox.x < cell.bbox.x + cell.bbox.w + 2 && bbox.x + bbox.w > cell.bbox.x - 2 && cell.bbox.y < bbox.y
      )
      if (over === undefined) cells.push({ tokens: [...tokens], bbox })
      else {
        over.tokens.push(...tokens)
        over.bbox = around([over.bbox, bbox])
      }
    }
  }
  return cells
    .map(({ tokens, bbox }) => ({ bbox, text: tokens.map((token) => token.text).join(" ") }))
    .toSorted((a, b) => a.bbox.x - b.bbox.x)
}

/** How well a heading names a column: exactly, with more around it, or not at all. The first labels are the surest. */
const naming = (text: string, column: Column): number => {
  const folded = fold(text)
  let most = 0
  for (const [rank, label] of column.labels.entries()) {
    const wanted = fold(label)
    if (wanted === "") continue
    const first = 1 - 0.1 * (rank / column.labels.length)
    if (folded === wanted) most = Math.max(most, first)
    else if (wanted.length >= 3 && folded.startsWith(wanted)) most = Math.max(most, 0.75 * first)
    else if (wanted.length >= 4 && folded.endsWith(wanted)) most = Math.max(most, 0.7 * first)
    else if (wanted.length >= 5 && folded.includes(wanted)) most = Math.max(most, 0.5 * first)
  }
  return most
}

const headingsOf = (cells: ReadonlyArray<Cell>, columns: ReadonlyArray<Column>): Array<Heading> => {
  const pairs = cells
    .flatMap((cell) => columns.map((column) => ({ cell, column, quality: naming(cell.text, column) })))
    .filter(({ quality }) => quality >= 0.4)
    // Equal names (`Total` beside `Total`): amounts stand on the right.
    .toSorted((a, b) => b.quality - a.quality || b.cell.bbox.x - a.cell.bbox.x)
  const named = new Map<Cell, { column: Column; quality: number }>()
  const used = new Set<Column>()
  for (const { cell, column, quality } of pairs) {
    if (named.has(cell) || used.has(column)) continue
    named.set(cell, { column, quality })
    used.add(column)
  }
  return cells.map((cell) => ({ bbox: cell.bbox, quality: 0, ...named.get(cell) }))
}

const worth = (headings: ReadonlyArray<Heading>): number =>
  headings.reduce((sum, heading) => sum + heading.quality, 0)

/** Rows that stand so close together that they can be one heading over several lines. */
const closeRows = (model: PageModel, first: number, last: number): boolean => {
  for (let i = first; i < last; i++) {
    const [upper, lower] = [around(model.rows[i] ?? []), around(model.rows[i + 1] ?? [])]
    if (lower.y - (upper.y + upper.h) > 0.7 * model.lineHeight) return false
  }
  return true
}

/** The row, or two or three rows, that name the columns best; undefined where fewer than two columns are named. */
export const tableHeader = (model: PageModel, columns: ReadonlyArray<Column>): TableHeader | undefined => {
  let found: TableHeader | undefined
  let most = 0
  for (let firstRow = 0; firstRow < model.rows.length; firstRow++) {
    for (let height = 1; height <= 4 && firstRow + height <= model.rows.length; height++) {
      const lastRow = firstRow + height - 1
      if (!closeRows(model, firstRow, lastRow)) break
      const headings = headingsOf(cellsOf(model.rows.slice(firstRow, lastRow + 1)), columns)
      const named = headings.filter((heading) => heading.column !== undefined)
      // Prefer few rows: what stands under the headings may look like one.
      const value = worth(headings) - 0.12 * (height - 1)
      if (named.length >= 2 && value > most) {
        most = value
        found = { firstRow, lastRow, headings }
      }
    }
  }
  return found
}
