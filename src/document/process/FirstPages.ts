import { Deferred, Effect, Exit } from "effect"
import type { UnreadableDocument } from "../../domain/Document.ts"
import { type Attached, readAttachments } from "../formats/ReadAttachments.ts"
import { type ReadResult, readPage } from "../layout/ReadPage.ts"
import type { Opened, ReaderPool, Source } from "./ReaderPool.ts"

/** How long a page that was read ahead is kept for its reading. */
const keptFor = "2 seconds"

interface Ahead {
  /** Undefined if it was not read after all. */
  readonly page: Deferred.Deferred<ReadResult | undefined>
  readonly attached: Deferred.Deferred<Attached | undefined>
  readonly taken: Deferred.Deferred<void>
}

/** What was read ahead of a document. */
export interface ReadAhead {
  readonly first: ReadResult
  /** The files inside a document of one page, which are read last; undefined if they were not read. */
  readonly attached: Effect.Effect<Attached | undefined>
}

/** First pages that are read while the runs of their documents are still being accepted. */
export interface FirstPages {
  /** Opens a document and reads its first page afterwards, unless other documents wait for a child. */
  readonly open: (source: Source) => Effect.Effect<Opened, UnreadableDocument>
  /** What was read ahead of an opened document, once; undefined if nothing was, or its first page could not be read. */
  readonly take: (bytes: Uint8Array) => Effect.Effect<ReadAhead | undefined>
}

/** Reads first pages ahead, at most `most` at a time; `pageLimit` is in milliseconds. */
export const makeFirstPages = Effect.fnUntraced(function* (
  readers: ReaderPool,
  { most, pageLimit }: { readonly most: number; readonly pageLimit: number }
) {
  const scope = yield* Effect.scope
  const kept = new Map<Uint8Array, Ahead>()

  const readAhead = Effect.fnUntraced(function* (
    source: Source,
    { attached, page, taken }: Ahead,
    opened: Deferred.Deferred<Opened, UnreadableDocument>
  ) {
    const read = yield* readers
      .use(
        source,
        Effect.fnUntraced(function* (reader, document) {
          yield* Deferred.succeed(opened, document)
          const hasFiles = document.pageCount === 1 && document.attachable === true
          const first = yield* readPage(reader, 1, pageLimit, hasFiles)
          yield* Deferred.succeed(page, first)
          if (!hasFiles || (first.attachments === undefined && readers.othersWait())) return
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

  const open = (source: Source): Effect.Effect<Opened, UnreadableDocument> =>
    Effect.suspend(() => {
      if (kept.size >= most || readers.othersWait())
        return readers.use(source, (_, document) => Effect.succeed(document))
      const opened = Deferred.makeUnsafe<Opened, UnreadableDocument>()
      const ahead: Ahead = {
        page: Deferred.makeUnsafe(),
        attached: Deferred.makeUnsafe(),
        taken: Deferred.makeUnsafe()
      }
      kept.set(source.bytes, ahead)
      return readAhead(source, ahead, opened).pipe(
        Effect.ensuring(
          Effect.suspend(() => {
            kept.delete(source.bytes)
            return Effect.andThen(giveUp(ahead), Deferred.interrupt(opened))
          })
        ),
        Effect.forkIn(scope, { startImmediately: true }),
        Effect.andThen(Deferred.await(opened))
      )
    })

  const take = Effect.fnUntraced(function* (bytes: Uint8Array) {
    const ahead = kept.get(bytes)
    const first = ahead && (yield* Deferred.await(ahead.page))
    if (ahead === undefined || first === undefined) return undefined
    yield* Deferred.succeed(ahead.taken, undefined)
    return { first, attached: Deferred.await(ahead.attached) } satisfies ReadAhead
  })

  return { open, take } satisfies FirstPages
})

/** What has not been read by now is not read ahead. */
const giveUp = ({ attached, page }: Pick<Ahead, "attached" | "page">) =>
  Effect.andThen(Deferred.succeed(page, undefined), Deferred.succeed(attached, undefined))
