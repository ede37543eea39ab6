import { Effect } from "effect"
import type { Page } from "../domain/DocumentIR.ts"
import type { Ocr } from "../providers/Ocr.ts"
import { decodePage } from "./DecodePage.ts"
import { ask, type ReaderProcess } from "./ReaderProcess.ts"
import { recognisePage } from "./RecognisePage.ts"

interface PageOptions {
  readonly ocr: Ocr["Service"]
  readonly recognise: boolean
  /** Milliseconds. */
  readonly limit: number
}

const unread = (pageNumber: number, problem: string): Page => ({
  pageNumber,
  width: 0,
  height: 0,
  lines: [],
  source: "none",
  problem
})

/** Reads page `pageNumber` (from 1) of the document that is open in the child, by recognition where it is a picture. */
export const readPage = Effect.fnUntraced(function* (
  reader: ReaderProcess,
  pageNumber: number,
  options: PageOptions
) {
  const answered = yield* ask(reader, { ask: "page", index: pageNumber - 1 }, options.limit).pipe(
    Effect.catchTag("UnreadableDocument", (error) =>
      // A child that lives has only failed to read this page; one that died took the document with it.
      reader.isAlive() ? Effect.succeed(error) : Effect.fail(error)
    )
  )
  if (answered instanceof Error) return unread(pageNumber, answered.message)
  const page = decodePage(answered.page, pageNumber)
  if (page.lines.length > 0 || !answered.page.drawn) return page
  if (options.recognise) return yield* recognisePage(reader, page, options)
  const problem = options.ocr.enabled
    ? "The page holds a picture and no text; recognition was switched off."
    : "The page holds a picture and no text, and recognition is off (DOCFLOW_OCR)."
  return { ...page, source: "none" as const, problem }
})
