import { Deferred, type Duration, Effect, Exit } from "effect"
import type { ReadFailure } from "../../domain/Document.ts"
import { type Attached, readAttachments } from "../formats/mail/ReadAttachments.ts"
import { type ReadResult, readPage } from "./DecodePage.ts"
import type { Opened, ReaderPool, Source } from "./ReaderPool.ts"

/** The maximum size of the documents whose first pages are kept, in bytes. */
const mostBytes = 32 * 1024 * 1024

/** Where so many documents wait for a child, their runs are accepted sooner if first pages are read later. */
const mostWaiting = 24

interface Ahead {
  /** Undefined if it was not read after all. */
  readonly page: Deferred.Deferred<Pick<ReadAhead, "first" | "opened"> | undefined>
  readonly attached: Deferred.Deferred<Attached | undefined>
  readonly taken: Deferred.Deferred<void>
}

/** What was read ahead of a document. */
export interface ReadAhead {
  readonly opened: Opened
  readonly first: ReadResult
  /** The files inside a document of one page, which are read last; undefined if they were not read. */
  readonly attached: Effect.Effect<Attached | undefined>
}

/** First pages that are read while the runs of their documents are still being accepted. */
export interface FirstPages {
  /**
   * Opens a document and reads its first page afterwards, unless too much is kept or waits. `isSure`: whether its run will hardly
   * be refused; otherwise its page is only read if no other document waits.
   */
  readonly open: (source: Source, isSure: boolean) => Effect.Effect<Opened, ReadFailure>
  /** What was read ahead of an opened document, once; undefined if nothing was, or its first page could not be read. */
  readonly take: (bytes: Uint8Array) => Effect.Effect<ReadAhead | undefined>
}

interface FirstPagesOptions {
  /** How many are kept for their reading, and how long. */
  readonly most: number
  readonly keptFor: Duration.Input
  /** The limit for a page, in milliseconds. */
  readonly pageLimit: number
}

/**
 * Reads first pages ahead, also while a few documents wait for a child: to open a document a second time for its page costs more.
 */
export const makeFirstPages = Effect.fnUntraced(function* (
  readers: ReaderPool,
  { keptFor, most, pageLimit }: FirstPagesOptions
) {
  const scope = yield* Effect.scope
  const kept = new Map<Uint8Array, Ahead>()
  let keptBytes = 0

  const readAhead = Effect.fnUntraced(function* (
    source: Source,
    { attached, page, taken }: Ahead,
    opened: Deferred.Deferred<Opened, ReadFailure>
  ) {
    const read = yield* readers
      .use(
        source,
        Effect.fnUntraced(function* (reader, document) {
          yield* Deferred.succeed(opened, document)
          const hasFiles = document.pageCount === 1 && document.attachable === true
          const first = yield* readPage(reader, 1, pageLimit, hasFiles)
          yield* Deferred.succeed(page, { opened: document, first })
          if (!hasFiles || (first.attachments === undefined && readers.waiting() > 0)) return
          yield* Deferred.succeed(attached, yield* readAttachments(reader, pageLimit, first.attachments))
        }),
        true
      )
      .pipe(Effect.exit)
    // A page that crashed its child is read again, and reported then.
    if (Exit.isFailure(read)) yield* Deferred.failCause(opened, read.cause)
    yield* giveUp({ attached, page })
    if (Exit.isSuccess(read)) yield* Effect.timeoutOption(Deferred.await(taken), keptFor)
  })

  const open = (source: Source, isSure: boolean): Effect.Effect<Opened, ReadFailure> =>
    Effect.suspend(() => {
      const isMuch = kept.size >= most || keptBytes + source.bytes.length > mostBytes
      if (isMuch || readers.waiting() >= (isSure ? mostWaiting : 1))
        return readers.use(source, (_, document) => Effect.succeed(document))
      const opened = Deferred.makeUnsafe<Opened, ReadFailure>()
      const ahead: Ahead = {
        page: Deferred.makeUnsafe(),
        attached: Deferred.makeUnsafe(),
        taken: Deferred.makeUnsafe()
      }
      kept.set(source.bytes, ahead)
      keptBytes += source.bytes.length
      return readAhead(source, ahead, opened).pipe(
        Effect.ensuring(
          Effect.suspend(() => {
            kept.delete(source.bytes)
            keptBytes -= source.bytes.length
            return Effect.andThen(giveUp(ahead), Deferred.interrupt(opened))
          })
        ),
        Effect.forkIn(scope, { startImmediately: true }),
        Effect.andThen(Deferred.await(opened))
      )
    })

  const take = Effect.fnUntraced(function* (bytes: Uint8Array) {
    const ahead = kept.get(bytes)
    const page = ahead && (yield* Deferred.await(ahead.page))
    if (ahead === undefined || page === undefined) return undefined
    yield* Deferred.succeed(ahead.taken, undefined)
    return { ...page, attached: Deferred.await(ahead.attached) } satisfies ReadAhead
  })

  return { open, take } satisfies FirstPages
})

/** What has not been read by now is not read ahead. */
const giveUp = ({ attached, page }: Pick<Ahead, "attached" | "page">) =>
  Effect.andThen(Deferred.succeed(page, undefined), Deferred.succeed(attached, undefined))
