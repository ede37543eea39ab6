import { around, type PageModel, type Token } from "../layout/PageModel.ts"
import type { Box } from "../../domain/DocumentIR.ts"
import { remembered } from "../../support/Remembered.ts"

type Row = ReadonlyArray<Token>

/** What names a column exactly, folded, and the columns that it names. */
export type ExactNames = ReadonlyMap<string, ReadonlySet<string>>

const foldedOf = (tokens: Row): string => tokens.map(({ folded }) => folded).join("")

/** A heading as labels are compared with it: its letters and digits; its sign where it has none, such as `$` or `*`. */
export const namingOf = (tokens: Row): string => foldedOf(tokens) || tokens.map(({ text }) => text).join("")

/** The most words of a column's name: `Denumirea produselor sau a serviciilor`. */
const mostWords = 6

/** Where the tokens from `from` on name a column exactly, how many of them; the longest name wins. */
const exactName = (tokens: Row, from: number, names: ExactNames): number => {
  let longest = 0
  let [folded, text] = ["", ""]
  const last = Math.min(mostWords, tokens.length - from)
  for (let count = 1; count <= last; count++) {
    const token = tokens[from + count - 1]
    folded += token?.folded ?? ""
    text += token?.text ?? ""
    const name = folded || text
    // A letter among other words is one of them: `produselor sau a serviciilor`.
    if (names.has(name) && (tokens.length === 1 || !/^\p{Script=Latin}$/u.test(name))) longest = count
  }
  return longest
}

/** Some words of a heading, and whether they are the name of a column. */
interface Part {
  readonly tokens: Row
  readonly isName: boolean
}

/** The words of a phrase, parted where the name of a column begins or ends; `lengths` are those of the names from each word on. */
const partsOf = (tokens: Row, lengths: ReadonlyArray<number>): Array<Part> => {
  const parts: Array<Part> = []
  let open: Array<Token> = []
  for (let i = 0; i < tokens.length;) {
    const count = lengths[i] ?? 0
    if (count > 0) {
      if (open.length > 0) parts.push({ tokens: open, isName: false })
      parts.push({ tokens: tokens.slice(i, i + count), isName: true })
      open = []
    } else open.push(...tokens.slice(i, i + 1))
    i += Math.max(1, count)
  }
  return open.length > 0 ? [...parts, { tokens: open, isName: false }] : parts
}

const rowsBelow = 8
const figure = /^[\p{Sc}\d][\d.,' ]*$/u

/** Whether a word or figure of a row lies across an x. */
const crosses = (row: Row, x: number): boolean =>
  row.some((token) => token.x < x - 0.5 && token.x + token.w > x + 0.5)

const isUnder = (heading: Row, row: Row): boolean => {
  const { w, x } = around(heading)
  return row.some((token) => token.x < x + w && token.x + token.w > x)
}

/** Whether the rows under a heading, those with figures, have words where two of its parts meet. */
const isClosed = (left: Row, right: Row, below: ReadonlyArray<Row>): boolean => {
  const [last, first] = [left.at(-1), right[0]]
  if (last === undefined || first === undefined) return false
  const at = (last.x + last.w + first.x) / 2
  return 3 * below.filter((row) => crosses(row, at)).length > below.length
}

/** Whether all rows have a word where a heading begins, and one with a figure in front of it, under another heading: codes. */
const areBehindCodes = (left: Row, right: Row, below: ReadonlyArray<Row>): boolean => {
  const [first] = right
  if (first === undefined) return false
  const rows = below.filter((row) => isUnder(left, row) && isUnder(right, row))
  return (
    rows.length > 1 &&
    rows.every((row) => {
      const at = row.findIndex(({ h, x }) => Math.abs(x - first.x) < 0.15 * h)
      return at > 0 && /\d/u.test(row[at - 1]?.text ?? "")
    })
  )
}

/** `Description / Omschrijving`, `Qty الكمية`: the name of one column in two languages; not `Artikel Omschrijving` above codes and texts. */
const isSameColumn = (left: Part, right: Part, names: ExactNames, below: ReadonlyArray<Row>): boolean => {
  if (right.tokens[0]?.text === "/" || left.tokens.at(-1)?.text === "/") return true
  if (areBehindCodes(left.tokens, right.tokens, below)) return false
  const [one, two] = [names.get(namingOf(left.tokens)), names.get(namingOf(right.tokens))]
  return one !== undefined && two !== undefined && [...one].some((column) => two.has(column))
}

/** The rows below a row of headings that have figures. */
export const rowsUnder = ({ rows }: PageModel, lastRow: number): ReadonlyArray<Row> =>
  rows.slice(lastRow + 1, lastRow + 1 + rowsBelow).filter((row) => row.some(({ text }) => figure.test(text)))

/** How many words the longest name of a column has from each word of a phrase on; undefined where there is none at all. */
export const nameLengths = (tokens: Row, names: ExactNames): ReadonlyArray<number> | undefined => {
  const lengths = tokens.map((_, from) => exactName(tokens, from, names))
  return lengths.some((length) => length > 0) ? lengths : undefined
}

/**
 * Headings set so closely that they look like one (`Pos Beschreibung Menge`) are parted where a column's name is, of which
 * `lengths` tell; not where what is under them goes on: `Importo CHF` is one heading. `below`: the rows with figures.
 */
export const headingParts = (
  tokens: Row,
  lengths: ReadonlyArray<number>,
  names: ExactNames,
  below: ReadonlyArray<Row>
): ReadonlyArray<Row> => {
  if (lengths[0] === tokens.length) return [tokens]
  const parts = partsOf(tokens, lengths)
  if (parts.length < 2) return [tokens]
  const joined: Array<Part> = []
  for (const part of parts) {
    const before = joined.at(-1)
    if (
      before !== undefined &&
      (before.isName && part.isName
        ? isSameColumn(before, part, names, below)
        : isClosed(before.tokens, part.tokens, below))
    )
      joined[joined.length - 1] = {
        tokens: [...before.tokens, ...part.tokens],
        isName: before.isName || part.isName
      }
    else joined.push(part)
  }
  return joined.map((part) => part.tokens)
}

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
