import { Effect } from "effect"
import { UnreadableDocument } from "../../domain/Document.ts"
import { Sandbox } from "../../sandbox/Sandbox.ts"
import { FairSlots } from "./FairSlots.ts"
import { makeIdleReaders } from "./IdleReaders.ts"
import type { ResponseTo } from "./Protocol.ts"
import { ask, type ReaderProcess, startReaderProcess } from "./ReaderProcess.ts"

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
  const places = new FairSlots(options.processes, options.processes - 1)
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
    /** Runs a job on a child in which the document is open. With `first`, the job must begin by reading the first page. */
    use: <A, E>(
      source: Source,
      job: (reader: ReaderProcess, opened: Opened) => Effect.Effect<A, E>,
      first = false
    ) =>
      places.with(
        source.bytes,
        readers.use(
          (reader) => isOf(open.get(reader), source),
          (reader) =>
            Effect.flatMap(opened(reader, source, first), (document) => job(reader, document)).pipe(
              Effect.ensuring(Effect.sync(() => check(reader)))
            )
        )
      ),
    /** The number of documents that wait for a child. */
    waiting: (): number => places.waiting
  }
})

export type ReaderPool = Effect.Success<ReturnType<typeof makeReaderPool>>
