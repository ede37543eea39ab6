import { Effect, Pool } from "effect"
import { UnreadableDocument } from "../../domain/Document.ts"
import { Sandbox } from "../../sandbox/Sandbox.ts"
import { FairPlaces } from "./FairPlaces.ts"
import type { ResponseTo } from "./Protocol.ts"
import { ask, type ReaderProcess, startReaderProcess } from "./ReaderProcess.ts"

/** A document to read. The object itself stands for the document: the same bytes twice are two documents. */
export interface Source {
  readonly bytes: Uint8Array
  /** What it was declared to be. */
  readonly mimeType: string | undefined
}

/** What a child says of a document that it has opened. */
export type Opened = ResponseTo<"opened">

/** What the children may use. */
export interface ReaderPoolOptions {
  readonly processes: number
  readonly memoryMiB: number
  readonly maxPages: number
  /** Milliseconds for opening a document. */
  readonly pageLimit: number
}

/** Types that say nothing about the bytes. */
const anything = new Set(["", "application/octet-stream", "binary/octet-stream"])

const openIn = Effect.fnUntraced(function* (reader: ReaderProcess, source: Source, limit: number) {
  const { bytes, mimeType } = source
  const declared = mimeType === undefined || anything.has(mimeType) ? {} : { mimeType }
  return yield* ask(reader, { ask: "open", bytes, ...declared }, limit)
})

/**
 * Child processes that read documents, shared between the documents. A document has a child only while it asks it
 * something, and finds itself still open if nobody else had that child since.
 */
export const makeReaderPool = Effect.fnUntraced(function* (options: ReaderPoolOptions) {
  // One child is left for other documents: a page may keep one busy for seconds.
  const places = new FairPlaces(options.processes, options.processes - 1)
  const open = new Map<ReaderProcess, { readonly source: Source; readonly opened: Opened }>()
  const sandbox = yield* Sandbox
  const pool = yield* Pool.makeWithTTL({
    acquire: startReaderProcess(sandbox, options.memoryMiB),
    min: 0,
    max: options.processes,
    timeToLive: "10 minutes"
  })

  const opened = Effect.fnUntraced(function* (reader: ReaderProcess, source: Source) {
    const held = open.get(reader)
    if (held?.source === source) return held.opened
    open.delete(reader)
    const document = yield* openIn(reader, source, options.pageLimit)
    open.set(reader, { source, opened: document })
    if (document.pageCount <= options.maxPages) return document
    const message = `The document has ${document.pageCount} pages; at most ${options.maxPages} are read.`
    return yield* new UnreadableDocument({ message })
  })

  /** A child that holds too much memory is not given to anybody else. */
  const rest = Effect.fnUntraced(function* (reader: ReaderProcess) {
    if (!reader.isAlive()) return
    const { tired } = yield* ask(reader, { ask: "rest" }, options.pageLimit)
    if (tired) reader.kill()
  })

  const dropDead = Effect.fnUntraced(function* (reader: ReaderProcess) {
    if (reader.isAlive()) return
    open.delete(reader)
    yield* Pool.invalidate(pool, reader)
  })

  /** Runs a job on a child that lives, and gives the child back only if it may read another document. */
  const withReader = <A, E>(
    job: (reader: ReaderProcess) => Effect.Effect<A, E>,
    attempts = 5
  ): Effect.Effect<A, E> =>
    Pool.use(pool, (reader) =>
      Effect.onExit(
        // It may have died while it was idle; nobody's document is to blame.
        reader.isAlive() ? Effect.map(job(reader), (value) => ({ value })) : Effect.undefined,
        () => dropDead(reader)
      )
    ).pipe(
      Effect.flatMap((done) => {
        if (done !== undefined) return Effect.succeed(done.value)
        return attempts > 1
          ? withReader(job, attempts - 1)
          : Effect.die(new Error("No reader process starts."))
      })
    )

  return {
    /** Runs a job on a child in which the document is open. */
    use: <A, E>(source: Source, job: (reader: ReaderProcess, opened: Opened) => Effect.Effect<A, E>) =>
      places.with(
        source,
        withReader((reader) =>
          Effect.flatMap(opened(reader, source), (document) => job(reader, document)).pipe(
            Effect.tap(() => rest(reader))
          )
        )
      ),
    /** Whether another document waits for a child. */
    othersWait: (): boolean => places.isWanted,
    /** Closes the document wherever it is open. */
    forget: (source: Source) =>
      Effect.sync(() => {
        for (const [reader, held] of open) {
          if (held.source !== source) continue
          open.delete(reader)
          reader.forget()
        }
      })
  }
})

export type ReaderPool = Effect.Success<ReturnType<typeof makeReaderPool>>
