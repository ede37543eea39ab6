import { type DocumentIR, type Page, pageText } from "../../domain/DocumentIR.ts"
import { quoted } from "./Quoted.ts"
import { estimateTokens } from "./Tokens.ts"

/** A page, or some lines of one that is longer than a model can be shown at once. */
interface Piece {
  readonly pageNumber: number
  readonly text: string
  readonly tokens: number
}

/** Pages that a model is shown in one request. */
export interface Chunk {
  /** The numbers of its pages, in order. */
  readonly pageNumbers: ReadonlyArray<number>
  /** The pages as the model is shown them: a heading for each, then its lines, marked as the document's. */
  readonly text: string
  /** An estimate, never too low for ordinary text. */
  readonly tokens: number
}

const shown = (pageNumber: number, text: string): string => `Page ${pageNumber}:\n${quoted(text)}\n`

const pieceOf = (pageNumber: number, lines: ReadonlyArray<string>): Piece => {
  const text = shown(pageNumber, lines.join("\n"))
  // One more for the line break between pieces.
  return { pageNumber, text, tokens: estimateTokens(text) + 1 }
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

const piecesOf = (page: Page, room: number): ReadonlyArray<Piece> => {
  const text = pageText(page)
  if (text.trim() === "") return []
  const whole = pieceOf(page.pageNumber, [text])
  return whole.tokens <= room ? [whole] : cutPage(page, room)
}

/**
 * A document's text in chunks of at most `room` tokens: whole pages where they fit, a longer page by its lines, a longer
 * line by its characters. Pages without text are in none of them.
 */
export const chunksOf = (document: DocumentIR, room: number): ReadonlyArray<Chunk> => {
  const chunks: Array<Array<Piece>> = []
  let left = 0
  for (const piece of document.pages.flatMap((page) => piecesOf(page, room))) {
    const open = chunks.at(-1)
    if (open === undefined || piece.tokens > left) {
      chunks.push([piece])
      left = room - piece.tokens
    } else {
      open.push(piece)
      left -= piece.tokens
    }
  }
  return chunks.map((pieces) => ({
    pageNumbers: [...new Set(pieces.map(({ pageNumber }) => pageNumber))],
    text: pieces.map(({ text }) => text).join("\n"),
    tokens: pieces.reduce((sum, { tokens }) => sum + tokens, 0)
  }))
}
