import { Clock, Effect } from "effect"
import { UnreadableDocument } from "../domain/Document.ts"
import type { Page } from "../domain/DocumentIR.ts"
import { readPage, unreadPage } from "./ReadPage.ts"
import type { Opened, ReaderPool, Source } from "./ReaderPool.ts"
import type { ReaderProcess } from "./ReaderProcess.ts"

/** How long a document keeps a child that others wait for, in milliseconds. */
const turnMs = 250
/** How long a page may take once another has cost a child, in milliseconds. */
const shortLimit = 1000

interface TextOptions {
  readonly pages: { readonly from: number; readonly to: number } | undefined
  /** Milliseconds for a page, and for all pages together. */
  readonly pageLimit: number
  readonly documentLimit: number
  /** Called after each page. */
  readonly onPage: (page: Page, scanned: boolean, total: number) => Effect.Effect<void>
}

const tookTooLong = new UnreadableDocument({
  message: "The document cannot be read: it took too long as a whole."
})

const ofPage = (error: UnreadableDocument): string =>
  error.message.replace(/^The document cannot/u, "The page cannot")

/**
 * Reads the text layer of every page, in turns with other documents. A page that costs a child is left out with its
 * problem; a second one ends it all, as does one where no other page can be read.
 */
export const readTexts = Effect.fnUntraced(function* (
  readers: ReaderPool,
  source: Source,
  options: TextOptions
) {
  let opened: Opened | undefined
  let next = Math.max(1, options.pages?.from ?? 1)
  let last = options.pages?.to ?? Infinity
  let total = 0
  let spent = 0
  let read = 0
  let lost: UnreadableDocument | undefined

  const done = Effect.fnUntraced(function* (page: Page, scanned: boolean) {
    next++
    if (page.problem === undefined) read++
    yield* options.onPage(page, scanned, total)
    // Pages are put together in this process: others are to have their turn.
    yield* Effect.yieldNow
  })

  const turn = Effect.fnUntraced(function* (reader: ReaderProcess, document: Opened) {
    const begunAt = yield* Clock.currentTimeMillis
    if (opened === undefined) {
      opened = document
      last = Math.min(document.pageCount, last)
      total = last - next + 1
    }
    const limit = lost === undefined ? options.pageLimit : Math.min(shortLimit, options.pageLimit)
    while (next <= last) {
      const { page, scanned } = yield* readPage(reader, next, limit)
      yield* done(page, scanned)
      const took = (yield* Clock.currentTimeMillis) - begunAt
      if (spent + took > options.documentLimit) return yield* tookTooLong
      if (took > turnMs && readers.othersWait()) break
    }
    spent += (yield* Clock.currentTimeMillis) - begunAt
  })

  while (opened === undefined || next <= last) {
    const failure = yield* readers.use(source, turn).pipe(Effect.flip, Effect.option)
    if (failure._tag === "None") continue
    if (opened === undefined || lost !== undefined || failure.value === tookTooLong)
      return yield* failure.value
    lost = failure.value
    yield* done(unreadPage(next, ofPage(lost)), false)
  }
  if (lost !== undefined && read === 0) return yield* lost
  return opened
})
