import { Clock, Effect, Exit, Schedule, Scope } from "effect"
import { ReaderUnavailable, UnreadableDocument } from "../../domain/Document.ts"
import { Sandbox } from "../../sandbox/Sandbox.ts"
import { FairSlots } from "../../support/FairSlots.ts"
import type { ResponseTo } from "./Protocol.ts"
import { ask, type ReaderProcess, startReaderProcess } from "./ReaderProcess.ts"

/** Idle times after which a child closes its document, and after which it exits, in milliseconds. */
const closeLimit = 10_000
const idleLimit = 10 * 60_000

interface Idle {
  readonly reader: ReaderProcess
  readonly scope: Scope.Closeable
  readonly since: number
}

/** The children that read documents: started if none is idle, kept running, ended after a long idle time. */
interface IdleReaders {
  /**
   * Runs a job on a child that is alive, if possible one that `fits`, otherwise the one that has been idle longest. The
   * job has the child exclusively; a dead child is not used again.
   */
  readonly use: <A, E>(
    fits: (reader: ReaderProcess) => boolean,
    job: (reader: ReaderProcess) => Effect.Effect<A, E>
  ) => Effect.Effect<A, E>
}

/**
 * Makes a pool of children; `start` starts one, and `close` closes its document. The caller limits how many are used at
 * once.
 */
const makeIdleReaders = (
  start: Effect.Effect<ReaderProcess, never, Scope.Scope>,
  close: (reader: ReaderProcess) => void
): Effect.Effect<IdleReaders, never, Scope.Scope> =>
  Effect.gen(function* () {
    const all = yield* Effect.scope
    let idle: ReadonlyArray<Idle> = []

    const end = ({ scope }: Pick<Idle, "scope">) => Scope.close(scope, Exit.void)

    /** Takes the best idle child out of the list. */
    const take = (fits: (reader: ReaderProcess) => boolean): Idle | undefined => {
      const best = idle.find(({ reader }) => fits(reader)) ?? idle[0]
      idle = idle.filter((other) => other !== best)
      return best
    }

    const startOne = Effect.gen(function* () {
      const scope = yield* Scope.fork(all)
      return { reader: yield* Scope.provide(start, scope), scope }
    })

    const acquire = (
      fits: (reader: ReaderProcess) => boolean
    ): Effect.Effect<Pick<Idle, "reader" | "scope">> =>
      Effect.suspend(() => {
        const taken = take(fits)
        if (taken === undefined) return startOne
        // It may have died while idle, which is no document's fault.
        return taken.reader.isAlive() ? Effect.succeed(taken) : Effect.andThen(end(taken), acquire(fits))
      })

    const release = ({ reader, scope }: Pick<Idle, "reader" | "scope">) =>
      Effect.flatMap(Clock.currentTimeMillis, (since) => {
        if (!reader.isAlive()) return end({ scope })
        idle = [...idle, { reader, scope, since }]
        return Effect.void
      })

    const endIdle = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      for (const { reader, since } of idle) if (since < now - closeLimit) close(reader)
      const over = idle.filter(({ since }) => since < now - idleLimit)
      idle = idle.filter((other) => !over.includes(other))
      yield* Effect.forEach(over, end, { discard: true })
    })
    yield* endIdle.pipe(Effect.repeat(Schedule.spaced("5 seconds")), Effect.forkScoped)

    return {
      use: (fits, job) => Effect.acquireUseRelease(acquire(fits), ({ reader }) => job(reader), release)
    }
  })

/** A document to read. The bytes, as an object, are its identity: equal bytes in two objects are two documents. */
export interface Source {
  readonly bytes: Uint8Array
  /** What it was declared to be. */
  readonly mimeType: string | undefined
}

/** What a child reports about a document that it has opened. */
export type Opened = ResponseTo<"opened">

interface Held {
  readonly source: Source
  readonly opened: Opened
}

const isOf = (held: Held | undefined, { bytes, mimeType }: Source): boolean =>
  held?.source.bytes === bytes && (mimeType === undefined || mimeType === held.opened.mimeType)

/** The number of further tries for a document whose child was lost, and the wait before the first of them. */
const moreTries = 3
const beforeNextTry = Schedule.exponential("100 millis", 3)
const isOfHouse = (failure: unknown): boolean => failure instanceof ReaderUnavailable

/** What the children may use. */
export interface ReaderPoolOptions {
  readonly processes: number
  readonly memoryMiB: number
  readonly maxPages: number
  /** Milliseconds for opening a document. */
  readonly pageLimit: number
}

/** MIME types that say nothing about the bytes. */
const anything = new Set(["", "application/octet-stream", "binary/octet-stream"])

const openIn = Effect.fnUntraced(function* (
  reader: ReaderProcess,
  { bytes, mimeType }: Source,
  first: number,
  limit: number
) {
  const declared = mimeType === undefined || anything.has(mimeType) ? {} : { mimeType }
  return yield* ask(reader, { ask: "open", bytes, ...declared, first }, limit)
})

/**
 * Child processes that read documents, shared between the documents. A document has a child only during a request, and
 * is still open later if no other document used that child: `parse` reads what admission opened.
 */
export const makeReaderPool = Effect.fnUntraced(function* (options: ReaderPoolOptions) {
  // One child is reserved for other documents, because a page may keep one busy for seconds.
  const places = new FairSlots<object>(options.processes, options.processes - 1)
  const open = new Map<ReaderProcess, Held>()
  const sandbox = yield* Sandbox
  const close = (reader: ReaderProcess): void => {
    if (open.delete(reader)) reader.forget()
  }
  const readers = yield* makeIdleReaders(startReaderProcess(sandbox, options.memoryMiB), close)

  const opened = Effect.fnUntraced(function* (reader: ReaderProcess, source: Source, first: boolean) {
    const held = open.get(reader)
    const isOpen = held !== undefined && isOf(held, source)
    if (!isOpen) open.delete(reader)
    const document = isOpen
      ? held.opened
      : yield* openIn(reader, source, first ? options.maxPages : 0, options.pageLimit)
    open.set(reader, { source, opened: document })
    if (document.pageCount <= options.maxPages) return document
    const message = `The document has ${document.pageCount} pages; at most ${options.maxPages} are read.`
    return yield* new UnreadableDocument({ message })
  })

  /** A child that died or holds too much memory is not used again. */
  const check = (reader: ReaderProcess): void => {
    if (reader.isTired()) reader.kill()
    if (!reader.isAlive()) open.delete(reader)
  }

  return {
    /**
     * Runs a job on a child in which the document is open; again on another one if the child was ended or hindered by
     * anything but the document. With `first`, the job must begin by reading the first page.
     */
    use: <A, E>(
      source: Source,
      job: (reader: ReaderProcess, opened: Opened) => Effect.Effect<A, E>,
      first = false
    ) =>
      places
        .with(
          source.bytes,
          readers.use(
            (reader) => isOf(open.get(reader), source),
            (reader) =>
              Effect.flatMap(opened(reader, source, first), (document) => job(reader, document)).pipe(
                Effect.ensuring(Effect.sync(() => check(reader)))
              )
          )
        )
        .pipe(Effect.retry({ while: isOfHouse, times: moreTries, schedule: beforeNextTry })),
    /** The number of documents that wait for a child. */
    waiting: (): number => places.waiting
  }
})

export type ReaderPool = Effect.Success<ReturnType<typeof makeReaderPool>>
