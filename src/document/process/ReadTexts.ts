import { Clock, Effect, Result, Deferred, type Duration, Exit } from "effect"
import { UnreadableDocument, type ReadFailure } from "../../domain/Document.ts"
import type { Page } from "../../domain/DocumentIR.ts"
import { readPage, unreadPage, type ReadResult } from "./DecodePage.ts"
import type { Opened, ReaderPool, Source } from "./ReaderPool.ts"
import type { ReaderProcess } from "./ReaderProcess.ts"
import { type Attached, readAttachments } from "../formats/mail/ReadAttachments.ts"

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
interface ReadAhead {
  readonly opened: Opened
  readonly first: ReadResult
  /** The files inside a document of one page, which are read last; undefined if they were not read. */
  readonly attached: Effect.Effect<Attached | undefined>
}

/** First pages that are read while the runs of their documents are still being accepted. */
interface FirstPages {
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

/** The time after which a document releases a child that others wait for, in milliseconds. */
const turnMs = 250
/** The limit of a page after another one has crashed a child, in milliseconds. */
const shortLimit = 1000

interface TextOptions {
  readonly pages: { readonly from: number; readonly to: number } | undefined
  /** Milliseconds for a page, and for all pages together. */
  readonly pageLimit: number
  readonly documentLimit: number
  /** The document and its first page, if they have been read already. */
  readonly ahead: Pick<ReadAhead, "first" | "opened"> | undefined
  /** Called after each page of the document, of `total` that are read. */
  readonly onPage: (
    page: Page,
    scanned: boolean,
    total: number,
    document: Opened | undefined
  ) => Effect.Effect<void>
}

/** How far a document has been read. */
interface State {
  opened?: Opened
  /** The pages still to read. */
  next: number
  last: number
  total: number
  /** The time that children worked on it, in milliseconds. */
  spent: number
  /** Pages without a problem. */
  read: number
  /** The problem of the first page that could not be read. */
  problem?: string
  /** Why it crashed a child. */
  lost?: UnreadableDocument
}

const begin = (state: State, document: Opened): void => {
  state.opened = document
  state.last = Math.min(document.pageCount, state.last)
  state.total = state.last - state.next + 1
}

const tookTooLong = new UnreadableDocument({
  message: "The document cannot be read: it exceeds the time limit for the whole document."
})

const ofPage = (error: UnreadableDocument): string =>
  error.message.replace(/^The document cannot/u, "The page cannot")

/**
 * Reads the text layer of every page, in turns with other documents. A page that crashes a child is listed with its
 * problem; a second one ends the reading. A document without any readable page is unreadable, whatever the reason.
 */
export const readTexts = Effect.fnUntraced(function* (
  readers: ReaderPool,
  source: Source,
  options: TextOptions
) {
  const state: State = {
    next: Math.max(1, options.pages?.from ?? 1),
    last: options.pages?.to ?? Infinity,
    total: 0,
    spent: 0,
    read: 0
  }

  const done = Effect.fnUntraced(function* (page: Page, scanned: boolean) {
    state.next++
    if (page.problem === undefined) state.read++
    else state.problem ??= page.problem
    yield* options.onPage(page, scanned, state.total, state.opened)
    // Pages are assembled in this process, so other work must get its turn.
    yield* Effect.yieldNow
  })

  /** Measures the cost of a document, when asked: CPU time of its child, or wall time if the system does not say. */
  const stopwatch = Effect.fnUntraced(function* (reader: ReaderProcess) {
    const startedAt = yield* Clock.currentTimeMillis
    const before = reader.cpuTime()
    return Effect.map(Clock.currentTimeMillis, (now) => {
      const took = now - startedAt
      const cost = () => {
        const used = reader.cpuTime()
        return before === undefined || used === undefined ? took : Math.min(took, used - before)
      }
      return { took, cost }
    })
  })

  const turn = Effect.fnUntraced(function* (reader: ReaderProcess, document: Opened) {
    const soFar = yield* stopwatch(reader)
    if (state.opened === undefined) begin(state, document)
    const limit = state.lost === undefined ? options.pageLimit : Math.min(shortLimit, options.pageLimit)
    while (state.next <= state.last) {
      const { page, scanned } = yield* readPage(reader, state.next, limit)
      yield* done(page, scanned)
      const { cost, took } = yield* soFar
      // It costs at most the time it took, so the system is hardly ever asked.
      const mayBeOver = state.spent + took > options.documentLimit
      if (mayBeOver && state.spent + cost() > options.documentLimit) return yield* tookTooLong
      if (took > turnMs && readers.waiting() > 0) break
    }
    if (state.next <= state.last) state.spent += (yield* soFar).cost()
  })

  const { ahead } = options
  if (ahead !== undefined && state.next === 1) {
    begin(state, ahead.opened)
    yield* done(ahead.first.page, ahead.first.scanned)
  }
  while (state.opened === undefined || state.next <= state.last) {
    const result = yield* Effect.result(readers.use(source, turn))
    if (Result.isSuccess(result)) continue
    const { failure } = result
    if (
      state.opened === undefined ||
      state.lost !== undefined ||
      failure === tookTooLong ||
      failure._tag === "ReaderUnavailable"
    )
      return yield* failure
    state.lost = failure
    yield* done(unreadPage(state.next, ofPage(failure)), false)
  }
  if (state.read > 0) return state.opened
  if (state.lost !== undefined) return yield* state.lost
  // For a part of a document, pages are listed with their problems: other parts may have been read.
  if (state.problem === undefined || options.pages !== undefined) return state.opened
  return yield* new UnreadableDocument({ message: state.problem })
})
