import type { Box } from "../../domain/DocumentIR.ts"
import { around, type PageModel, type Token } from "../layout/PageModel.ts"
import { remembered } from "../../support/Remembered.ts"
import { type ExactNames, headingParts, nameLengths, namingOf, rowsUnder } from "./HeadingParts.ts"

type Row = ReadonlyArray<Token>

/** What may be a heading: words of some rows above each other. */
export interface HeadingCell {
  readonly bbox: Box
  readonly folded: string
}

/** Some words of a row as one heading, and their box. */
interface Piece {
  readonly tokens: Row
  readonly bbox: Box
}

/** Whether one box is above another. */
const isOver = (upper: Box, lower: Box): boolean =>
  lower.x < upper.x + upper.w + 2 && lower.x + lower.w > upper.x - 2 && upper.y < lower.y

const joined = (upper: Piece, lower: Piece): Piece => ({
  tokens: [...upper.tokens, ...lower.tokens],
  bbox: around([upper.bbox, lower.bbox])
})

const cellOf = ({ bbox, tokens }: Piece): HeadingCell => ({ bbox, folded: namingOf(tokens) })

/** The phrases of some rows of a page as cells, from left to right: `Unit` over `Price` is one. Both rows are included. */
export type HeadingCells = (first: number, last: number) => ReadonlyArray<HeadingCell>

/**
 * Finds the cells of a page. Each row is looked at together with several others, so what was found of its phrases is kept; it
 * depends on the rows below the last one.
 */
export const headingCells = (model: PageModel, names: ExactNames): HeadingCells => {
  const phrasesOf = remembered((row: number) =>
    [...Map.groupBy(model.rows[row] ?? [], ({ phrase }) => phrase).values()].map((tokens) => ({
      tokens,
      lengths: tokens.length === 1 ? undefined : nameLengths(tokens, names)
    }))
  )
  const below = remembered((last: number) => rowsUnder(model, last))
  const piecesAbove = remembered((last: number) =>
    remembered((row: number): ReadonlyArray<Piece> =>
      phrasesOf(row)
        .flatMap(({ lengths, tokens }) =>
          lengths === undefined ? [tokens] : headingParts(tokens, lengths, names, below(last))
        )
        .map((tokens) => ({ tokens, bbox: around(tokens) }))
    )
  )
  return (first, last) => {
    const piecesOf = piecesAbove(last)
    const cells: Array<Piece> = []
    for (let row = first; row <= last; row++)
      for (const piece of piecesOf(row)) {
        const at = cells.findIndex((cell) => isOver(cell.bbox, piece.bbox))
        const over = cells[at]
        if (over === undefined) cells.push(piece)
        else cells[at] = joined(over, piece)
      }
    return cells.map(cellOf).toSorted((a, b) => a.bbox.x - b.bbox.x)
  }
}
