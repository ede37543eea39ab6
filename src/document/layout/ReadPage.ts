import { Effect } from "effect"
import type { ReadFailure } from "../../domain/Document.ts"
import type { Attachment } from "../../domain/Attachment.ts"
import { defined } from "../../support/Defined.ts"
import type { Page } from "../../domain/DocumentIR.ts"
import { decodePage } from "../process/DecodePage.ts"
import { ask, type ReaderProcess } from "../process/ReaderProcess.ts"

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
