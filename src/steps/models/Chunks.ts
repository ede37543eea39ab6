import type { DocumentIR, Page } from "../../domain/DocumentIR.ts"
import { pageText } from "../../domain/LineText.ts"
import { quoted } from "./Quoted.ts"
import { estimateTokens } from "./Tokens.ts"

/** A page, some lines of one that is longer than a model can be shown at once, or the picture of a page. */
export type Piece = { readonly pageNumber: number; readonly tokens: number } & (
  { readonly type: "text"; readonly text: string } | { readonly type: "picture" }
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

const shown = (pageNumber: number, text: string): string => `Page ${pageNumber}:\n${quoted(text)}\n`

const pieceOf = (pageNumber: number, lines: ReadonlyArray<string>): TextPiece => {
  const text = shown(pageNumber, lines.join("\n"))
  // One more for the line break between pieces.
  return { type: "text", pageNumber, text, tokens: estimateTokens(text) + 1 }
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

/** The lines of a page in as many pieces as it takes. */
const cutPage = (page: Page, room: number): ReadonlyArray<Piece> => {
  const heading = estimateTokens(shown(page.pageNumber, "")) + 1
  const inside = Math.max(1, room - heading)
  const pieces: Array<Piece> = []
  let open: Array<string> = []
  let tokens = 0
  for (const line of page.lines.flatMap(({ text }) => cutLine(text, inside))) {
    const cost = estimateTokens(`${quoted(line)}\n`)
    if (open.length > 0 && tokens + cost > inside) {
      pieces.push(pieceOf(page.pageNumber, open))
      open = []
      tokens = 0
    }
    open.push(line)
    tokens += cost
  }
  return open.length === 0 ? pieces : [...pieces, pieceOf(page.pageNumber, open)]
}

const textOf = (page: Page, room: number): ReadonlyArray<Piece> => {
  const text = pageText(page)
  if (text.trim() === "") return []
  const whole = pieceOf(page.pageNumber, [text])
  return whole.tokens <= room ? [whole] : cutPage(page, room)
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

/**
 * A document in chunks of at most `room` tokens and `mostPictures` pictures: whole pages where they fit, a longer page by
 * its lines, a longer line by its characters. `pictures` says what the picture of a page costs, by its number, where it is
 * to be shown too; one that costs more than the room is in no chunk, nor are pages without text and picture.
 */
export const chunksOf = (
  { pages }: DocumentIR,
  room: number,
  pictures: ReadonlyMap<number, number> = new Map()
): ReadonlyArray<Chunk> => {
  const chunks: Array<Array<Piece>> = []
  let left = 0
  let places = 0
  const pieces = pages.flatMap((page) => [
    ...textOf(page, room),
    ...pictureOf(page, room, pictures.get(page.pageNumber))
  ])
  for (const piece of pieces) {
    const taken = piece.type === "picture" ? 1 : 0
    let open = chunks.at(-1)
    if (open === undefined || piece.tokens > left || taken > places) {
      open = []
      chunks.push(open)
      left = room
      places = mostPictures
    }
    open.push(piece)
    left -= piece.tokens
    places -= taken
  }
  return chunks.map((pieces) => ({
    pageNumbers: [...new Set(pieces.map(({ pageNumber }) => pageNumber))],
    text: pieces.flatMap((piece) => (piece.type === "text" ? [piece.text] : [])).join("\n"),
    pieces,
    tokens: pieces.reduce((sum, { tokens }) => sum + tokens, 0)
  }))
}
