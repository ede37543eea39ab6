import type { Box, Line, Page, Word } from "../../domain/DocumentIR.ts"
import { defined } from "../../support/Defined.ts"
import type { CompactPage } from "./CompactPage.ts"
import { Effect } from "effect"
import type { ReadFailure } from "../../domain/Document.ts"
import type { Attachment } from "../../domain/Attachment.ts"
import { ask, type ReaderProcess } from "./ReaderProcess.ts"

/** A page that could not be read. */
export const unreadPage = (pageNumber: number, problem: string): Page => ({
  pageNumber,
  width: 0,
  height: 0,
  lines: [],
  source: "none",
  problem
})

/** A page as it was read, and whether something is drawn on it that is no text. */
export interface ReadResult {
  readonly page: Page
  readonly scanned: boolean
  /** The files inside the document, if they were requested and could be listed. */
  readonly attachments?: ReadonlyArray<Attachment>
}

/**
 * Reads page `pageNumber` (from 1) of the document that is open in the child, at most for `limit` milliseconds.
 * `scanned`: something is drawn on it, but it has no text. Fails if the child crashed. With `attachments`, the files inside the
 * document are listed as well.
 */
export const readPage = Effect.fnUntraced(function* (
  reader: ReaderProcess,
  pageNumber: number,
  limit: number,
  attachments = false
): Effect.fn.Return<ReadResult, ReadFailure> {
  const answered = yield* ask(reader, { ask: "page", index: pageNumber - 1, attachments }, limit).pipe(
    // A child that is still alive has only failed to read this page.
    Effect.catchTag("UnreadableDocument", (error) =>
      reader.isAlive() ? Effect.succeed(error) : Effect.fail(error)
    )
  )
  if (answered instanceof Error) return { page: unreadPage(pageNumber, answered.message), scanned: false }
  const page = decodePage(answered.page, pageNumber)
  const scanned = page.lines.length === 0 && answered.page.drawn
  return { page, scanned, ...defined({ attachments: answered.attachments }) }
})

const round = (value: number): number => Math.round(value * 100) / 100

const enclosing = (words: ReadonlyArray<Word>): Box => {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { bbox } of words) {
    left = Math.min(left, bbox.x)
    top = Math.min(top, bbox.y)
    right = Math.max(right, bbox.x + bbox.w)
    bottom = Math.max(bottom, bbox.y + bbox.h)
  }
  return { x: left, y: top, w: round(right - left), h: round(bottom - top) }
}

/** The lines of a page of the intermediate form, from the compact one. Boxes are rounded to 1/100 point. */
export const decodeLines = (page: CompactPage, pageNumber: number): Array<Line> => {
  if (page.text === "") return []
  const boxes = page.boxes
  let at = 0
  let startChar = 0
  return page.text.split("\n").map((text, i) => {
    const words = text.split(" ").map((word): Word => {
      const [x = 0, y = 0, w = 0, h = 0] = boxes.subarray(at, at + 4)
      const confidence = page.confidences?.[at / 4]
      at += 4
      const bbox = { x: round(x), y: round(y), w: round(w), h: round(h) }
      return confidence === undefined
        ? { text: word, bbox }
        : { text: word, bbox, confidence: round(confidence) }
    })
    const line: Line = {
      lineId: `p${pageNumber}_l${i + 1}`,
      text,
      bbox: enclosing(words),
      startChar,
      endChar: startChar + text.length,
      words
    }
    startChar += text.length + 1
    return line
  })
}

/** A page of the intermediate form. A page on which something is drawn but nothing is written counts as scanned. */
export const decodePage = (compact: CompactPage, pageNumber: number): Page => ({
  pageNumber,
  width: round(compact.width),
  height: round(compact.height),
  lines: decodeLines(compact, pageNumber),
  ...(compact.tables.length === 0 ? {} : { tables: compact.tables }),
  ...(compact.markdown === "" ? {} : { markdown: compact.markdown }),
  source: "text-layer"
})
