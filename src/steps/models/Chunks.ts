import type { DocumentIR, Page } from "../../domain/DocumentIR.ts"
import { pageLayout } from "./PageLayout.ts"
import { quoted } from "./Quoted.ts"
import { estimateTokens } from "../../providers/llm/Tokens.ts"

/** A page, some lines of one that is longer than a model can be shown at once, or the picture of a page. */
export type Piece = { readonly pageNumber: number; readonly tokens: number } & (
  | { readonly type: "text"; readonly lines: ReadonlyArray<string>; readonly above: ReadonlyArray<string> }
  | { readonly type: "picture" }
)
type TextPiece = Extract<Piece, { readonly type: "text" }>

/** Pages that a model is shown in one request. */
export interface Chunk {
  /** The numbers of its pages, in order. */
  readonly pageNumbers: ReadonlyArray<number>
  /** The pages for the model: a heading for each, then its lines, marked as the document's. */
  readonly text: string
  /** The same page by page, and the pictures of pages among them. */
  readonly pieces: ReadonlyArray<Piece>
  /** An estimate, never too low for ordinary text. */
  readonly tokens: number
}

/** How long the answer about rows may be, and what each line adds to it, in tokens. */
export interface RowBudget {
  readonly room: number
  readonly tokensOf: (line: string) => number
}

/** Precedes lines that only tell what the columns are and where the last part ended. */
export const aboveHeading = "Above, already read:"

/** The text of a piece as a model is shown it. */
export const pieceText = ({ above, lines, pageNumber }: Omit<TextPiece, "tokens">): string =>
  `${above.length === 0 ? "" : `${aboveHeading}\n${quoted(above.join("\n"))}\n`}Page ${pageNumber}:\n${quoted(lines.join("\n"))}\n`

const pieceOf = (
  pageNumber: number,
  lines: ReadonlyArray<string>,
  above: ReadonlyArray<string> = []
): TextPiece => {
  const piece = { type: "text" as const, pageNumber, lines, above }
  // One more for the line break between pieces.
  return { ...piece, tokens: estimateTokens(pieceText(piece)) + 1 }
}

/** A line that no request has room for, cut into pieces that fit. */
const cutLine = (line: string, room: number): ReadonlyArray<string> => {
  if (estimateTokens(quoted(line)) <= room) return [line]
  const characters = [...line]
  const parts: Array<string> = []
  // No character takes more than two tokens.
  const most = Math.max(1, Math.floor(room / 2))
  for (let at = 0; at < characters.length; at += most) parts.push(characters.slice(at, at + most).join(""))
  return parts
}

const isHeading = (line: string): boolean =>
  !/\d/u.test(line) && line.split(/ {2,}|\|/u).filter((cell) => cell.trim() !== "").length >= 3

/** What lines mean that follow others: the names of their columns, and the line before them. */
const aboveOf = (before: ReadonlyArray<string>, lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const last = before.at(-1)
  const heading = lines.some(isHeading) ? undefined : before.findLast(isHeading)
  return [...new Set([heading, last])].flatMap((line) => line ?? [])
}

/** The room for lines is divided by prompt and answer: whichever a line takes more of. */
const weigher = (room: number, rows: RowBudget | undefined) => (line: string, tokens: number) =>
  rows === undefined ? tokens : Math.max(tokens, (rows.tokensOf(line) * room) / Math.max(1, rows.room))

/** The lines of a page in as many pieces as it takes. */
const cutPage = (
  pageNumber: number,
  lines: ReadonlyArray<string>,
  room: number,
  rows: RowBudget | undefined
): ReadonlyArray<TextPiece> => {
  const heading = pieceOf(pageNumber, [""]).tokens
  const inside = Math.max(1, room - heading)
  const weigh = weigher(inside, rows)
  const all = lines.flatMap((line) => cutLine(line, inside))
  const pieces: Array<TextPiece> = []
  let from = 0
  let weight = 0
  const close = (to: number): void => {
    const own = all.slice(from, to)
    const above = rows === undefined ? [] : aboveOf(all.slice(0, from), own)
    const piece = pieceOf(pageNumber, own, above)
    // What is above is a help: it takes no room that the lines need.
    pieces.push(piece.tokens > room ? pieceOf(pageNumber, own) : piece)
    from = to
    weight = 0
  }
  for (const [at, line] of all.entries()) {
    const cost = weigh(line, estimateTokens(`${quoted(line)}\n`))
    if (at > from && weight + cost > inside) close(at)
    weight += cost
  }
  if (from < all.length) close(all.length)
  return pieces
}

const textOf = (page: Page, room: number, rows: RowBudget | undefined): ReadonlyArray<TextPiece> => {
  const lines = pageLayout(page)
  if (lines.join("").trim() === "") return []
  const whole = pieceOf(page.pageNumber, lines)
  const answer = rows === undefined ? 0 : lines.reduce((sum, line) => sum + rows.tokensOf(line), 0)
  return whole.tokens <= room && answer <= (rows?.room ?? 0)
    ? [whole]
    : cutPage(page.pageNumber, lines, room, rows)
}

/** Comes before a picture. Pictures are counted, since not every protocol says where among the texts they are. */
export const pictureHeading = (pageNumber: number, count: number): string =>
  `Page ${pageNumber}: picture ${count}.\n`

/** The most pictures in one request. */
export const mostPictures = 8

const pictureOf = ({ pageNumber }: Page, room: number, cost: number | undefined): ReadonlyArray<Piece> => {
  if (cost === undefined) return []
  const tokens = cost + estimateTokens(pictureHeading(pageNumber, mostPictures)) + 1
  return tokens > room ? [] : [{ type: "picture", pageNumber, tokens }]
}

const withColumns = (piece: Piece, columns: string | undefined): Piece =>
  piece.type === "picture" || columns === undefined || piece.above.length > 0 || piece.lines.some(isHeading)
    ? piece
    : pieceOf(piece.pageNumber, piece.lines, [columns])

const chunkOf = (pieces: ReadonlyArray<Piece>): Chunk => ({
  pageNumbers: [...new Set(pieces.map(({ pageNumber }) => pageNumber))],
  text: pieces.flatMap((piece) => (piece.type === "text" ? [pieceText(piece)] : [])).join("\n"),
  pieces,
  tokens: pieces.reduce((sum, { tokens }) => sum + tokens, 0)
})

/**
 * A document in chunks of at most `room` tokens and `mostPictures` pictures: whole pages where they fit, a longer page by
 * its lines, a longer line by its characters. `pictures` says what the picture of a page costs, by its number, where it is
 * to be shown too; one that costs more than the room is in no chunk, nor are pages without text and picture. `rows` limits
 * the answer as well, where it repeats what the pages say.
 */
export const chunksOf = (
  { pages }: DocumentIR,
  room: number,
  pictures: ReadonlyMap<number, number> = new Map(),
  rows?: RowBudget
): ReadonlyArray<Chunk> => {
  const chunks: Array<Array<Piece>> = []
  let left = 0
  let answer = 0
  let places = 0
  const pieces = pages.flatMap((page): ReadonlyArray<Piece> => [
    ...textOf(page, room, rows),
    ...pictureOf(page, room, pictures.get(page.pageNumber))
  ])
  let columns: string | undefined
  for (const piece of pieces) {
    const taken = piece.type === "picture" ? 1 : 0
    const said =
      rows === undefined || piece.type === "picture"
        ? 0
        : piece.lines.reduce((sum, line) => sum + rows.tokensOf(line), 0)
    let open = chunks.at(-1)
    if (open === undefined || piece.tokens > left || taken > places || said > answer) {
      open = []
      chunks.push(open)
      left = room
      answer = rows?.room ?? 0
      places = mostPictures
    }
    // A table that goes on overleaf does not always repeat what its columns are.
    const named = open.length === 0 && rows !== undefined ? withColumns(piece, columns) : piece
    const shown = named.tokens <= left ? named : piece
    columns = piece.type === "text" ? (piece.lines.findLast(isHeading) ?? columns) : columns
    open.push(shown)
    left -= shown.tokens
    answer -= said
    places -= taken
  }
  return chunks.map(chunkOf)
}

/** A chunk in two that a model is asked about one after the other; undefined for a single line or picture. */
export const halvesOf = ({ pieces, tokens }: Chunk): readonly [Chunk, Chunk] | undefined => {
  const [only] = pieces
  if (pieces.length > 1) {
    let before = 0
    const at = pieces.findIndex((piece) => (before += piece.tokens) > tokens / 2)
    const middle = Math.min(Math.max(1, at), pieces.length - 1)
    return [chunkOf(pieces.slice(0, middle)), chunkOf(pieces.slice(middle))]
  }
  if (only?.type !== "text" || only.lines.length < 2) return undefined
  const { above, lines, pageNumber } = only
  const middle = Math.ceil(lines.length / 2)
  const [first, second] = [lines.slice(0, middle), lines.slice(middle)]
  return [
    chunkOf([pieceOf(pageNumber, first, above)]),
    chunkOf([pieceOf(pageNumber, second, aboveOf([...above, ...first], second))])
  ]
}
