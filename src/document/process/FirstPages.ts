import { Deferred, Effect, Exit } from "effect"
import type { UnreadableDocument } from "../../domain/Document.ts"
import { type ReadResult, readPage } from "../layout/ReadPage.ts"
import type { Opened, ReaderPool, Source } from "./ReaderPool.ts"

/** How long a page that was read ahead is kept for its reading. */
const keptFor = "2 seconds"

interface Ahead {
  /** Undefined if it was not read after all. */
  readonly page: Deferred.Deferred<ReadResult | undefined>
  readonly taken: Deferred.Deferred<void>
}

/** First pages that are read while the runs of their documents are still being accepted. */
export interface FirstPages {
  /** Opens a document and reads its first page afterwards, unless other documents wait for a child. */
  readonly open: (source: Source) => Effect.Effect<Opened, UnreadableDocument>
  /** The first page of an opened document, once; undefined if it was not read ahead, or could not be read. */
  readonly take: (bytes: Uint8Array) => Effect.Effect<ReadResult | undefined>
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
    { page, taken }: Ahead,
    opened: Deferred.Deferred<Opened, UnreadableDocument>
  ) {
    const read = yield* readers
      .use(source, (reader, document) =>
        Effect.andThen(
          Deferred.succeed(opened, document),
          Effect.suspend(() =>
            readers.othersWait() ? Effect.succeed(undefined) : readPage(reader, 1, pageLimit)
          )
        )
      )
      .pipe(Effect.exit)
    // A page that crashed its child is read again, and reported then.
    if (Exit.isFailure(read)) yield* Deferred.failCause(opened, read.cause)
    yield* Deferred.succeed(page, Exit.isSuccess(read) ? read.value : undefined)
    if (Exit.isSuccess(read)) yield* Effect.timeoutOption(Deferred.await(taken), keptFor)
  })

  const open = (source: Source): Effect.Effect<Opened, UnreadableDocument> =>
    Effect.suspend(() => {
      if (kept.size >= most || readers.othersWait())
        return readers.use(source, (_, document) => Effect.succeed(document))
      const opened = Deferred.makeUnsafe<Opened, UnreadableDocument>()
      const ahead: Ahead = { page: Deferred.makeUnsafe(), taken: Deferred.makeUnsafe() }
      kept.set(source.bytes, ahead)
      return readAhead(source, ahead, opened).pipe(
        Effect.ensuring(
          Effect.suspend(() => {
            kept.delete(source.bytes)
            return Effect.andThen(Deferred.succeed(ahead.page, undefined), Deferred.interrupt(opened))
          })
        ),
        Effect.forkIn(scope, { startImmediately: true }),
        Effect.andThen(Deferred.await(opened))
      )
    })

  const take = (bytes: Uint8Array): Effect.Effect<ReadResult | undefined> =>
    Effect.suspend(() => {
      const ahead = kept.get(bytes)
      if (ahead === undefined) return Effect.succeed(undefined)
      return Effect.tap(Deferred.await(ahead.page), () => Deferred.succeed(ahead.taken, undefined))
    })

  return { open, take } satisfies FirstPages
})
