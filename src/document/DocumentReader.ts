import { Context, Effect, Layer, Pool } from "effect"
import { UnreadableDocument } from "../domain/Document.ts"
import type { DocumentIR, Page } from "../domain/DocumentIR.ts"
import { Ocr, type OcrFailure } from "../providers/Ocr.ts"
import { formats } from "./Formats.ts"
import { readAttachments } from "./ReadAttachments.ts"
import { readPage } from "./ReadPage.ts"
import { ask, type ReaderProcess, startReaderProcess } from "./ReaderProcess.ts"

/** How documents are read; see `DocumentReader.layerWith`. */
export interface ReaderOptions {
  /** How many documents are read at the same time, each in a process of its own. */
  readonly processes: number
  /** Memory that reading a document may take, in MiB. */
  readonly memoryMiB: number
  /** Pages beyond which a document is refused. */
  readonly maxPages: number
  /** How long one page may take, in milliseconds. */
  readonly pageLimit: number
  /** How long a whole document may take, in milliseconds, where no scanned pages are recognised. */
  readonly documentLimit: number
}

const defaults: ReaderOptions = {
  processes: 2,
  memoryMiB: 512,
  maxPages: 1000,
  pageLimit: 8_000,
  documentLimit: 60_000
}

/** What was said about a document when it was handed over. A name proves nothing and is not asked. */
export interface Declared {
  readonly mimeType?: string
  readonly filename?: string
}

/** What to read of a document. */
export interface ReadOptions {
  readonly mimeType: string
  /** Page numbers, counted from 1, both included; pages past the end are left out. */
  readonly pages?: { readonly from: number; readonly to: number }
  /** Whether scanned pages are recognised; `auto` where a provider is set. */
  readonly ocr?: "auto" | "off"
  /** Called after each page. */
  readonly onPage?: (done: number, total: number) => Effect.Effect<void>
}

const tookTooLong = new UnreadableDocument({
  message: "The document cannot be read: it took too long as a whole."
})

/** Types that say nothing about the bytes. */
const anything = new Set(["", "application/octet-stream", "binary/octet-stream"])

const make = Effect.fnUntraced(function* (options: ReaderOptions) {
  const ocr = yield* Ocr
  const pool = yield* Pool.makeWithTTL({
    acquire: startReaderProcess(options.memoryMiB),
    min: 0,
    max: options.processes,
    timeToLive: "10 minutes"
  })

  const openIn = Effect.fnUntraced(function* (reader: ReaderProcess, bytes: Uint8Array, mimeType?: string) {
    const declared = mimeType === undefined || anything.has(mimeType) ? {} : { mimeType }
    const document = yield* ask(reader, { ask: "open", bytes, ...declared }, options.pageLimit)
    if (document.pageCount <= options.maxPages) return document
    const message = `The document has ${document.pageCount} pages; at most ${options.maxPages} are read.`
    return yield* new UnreadableDocument({ message })
  })

  /** Runs a job on a child that lives, and gives the child back only if it may read another document. */
  const withReader = <A, E>(
    job: (reader: ReaderProcess) => Effect.Effect<A, E>,
    attempts = 5
  ): Effect.Effect<A, E> =>
    Pool.use(pool, (reader) =>
      reader.isAlive()
        ? Effect.onExit(
            Effect.map(job(reader), (value) => ({ value })),
            () => (reader.isAlive() ? Effect.void : Pool.invalidate(pool, reader))
          )
        : // It died while it was idle; nobody's document is to blame.
          Effect.as(Pool.invalidate(pool, reader), undefined)
    ).pipe(
      Effect.flatMap((done) => {
        if (done !== undefined) return Effect.succeed(done.value)
        return attempts > 1
          ? withReader(job, attempts - 1)
          : Effect.die(new Error("No reader process starts."))
      })
    )

  const closeIn = Effect.fnUntraced(function* (reader: ReaderProcess) {
    const { tired } = yield* ask(reader, { ask: "close" }, options.pageLimit)
    if (tired) reader.kill()
  })

  const inspect = Effect.fn("DocumentReader.inspect")((bytes: Uint8Array, declared?: Declared) =>
    withReader((reader) =>
      Effect.gen(function* () {
        const { mimeType, pageCount } = yield* openIn(reader, bytes, declared?.mimeType)
        yield* closeIn(reader)
        return { mimeType, pageCount }
      })
    )
  )

  const recognises = (read: ReadOptions): boolean => read.ocr !== "off" && ocr.enabled

  const readIn = Effect.fnUntraced(function* (reader: ReaderProcess, bytes: Uint8Array, read: ReadOptions) {
    const { answer: _, attachable, pageCount, extras, ...facts } = yield* openIn(reader, bytes, read.mimeType)
    const first = Math.max(1, read.pages?.from ?? 1)
    const last = Math.min(pageCount, read.pages?.to ?? pageCount)
    const recognise = recognises(read)
    const pages: Array<Page> = []
    for (let number = first; number <= last; number++) {
      pages.push(yield* readPage(reader, number, { recognise, limit: options.pageLimit, ocr }))
      if (read.onPage !== undefined) yield* read.onPage(pages.length, last - first + 1)
      yield* Effect.yieldNow
    }
    // Last of all: a hostile file inside the document may cost the child, but no page.
    const attached = attachable === true ? yield* readAttachments(reader, options.pageLimit) : {}
    if (reader.isAlive()) yield* closeIn(reader)
    const document: DocumentIR = { pages, extras: { ...extras, pageCount, ...facts, ...attached } }
    return document
  })

  const read = Effect.fn("DocumentReader.read")((bytes: Uint8Array, read: ReadOptions) =>
    withReader((reader) => {
      const reading = readIn(reader, bytes, read)
      // Recognition takes a second a page; the flow's own time limits bound it.
      return recognises(read)
        ? reading
        : Effect.timeoutOrElse(reading, {
            duration: options.documentLimit,
            orElse: () => Effect.fail(tookTooLong)
          })
    })
  )

  return DocumentReader.of({ inspect, read })
})

/**
 * Turns the bytes of a document into the intermediate form. Reading happens in child processes with limits on time and
 * memory: a hostile file costs its own execution and nothing else.
 */
export class DocumentReader extends Context.Service<
  DocumentReader,
  {
    /**
     * What the bytes are and how many pages they hold. Fails where they are no document that can be read, or not of
     * the type that was declared.
     */
    inspect(
      bytes: Uint8Array,
      declared?: Declared
    ): Effect.Effect<{ readonly mimeType: string; readonly pageCount: number }, UnreadableDocument>
    /**
     * Reads pages. A page that cannot be read is listed with its `problem`; the others are still read. OcrFailure
     * where a scanned page was to be recognised and the provider failed.
     */
    read(bytes: Uint8Array, options: ReadOptions): Effect.Effect<DocumentIR, UnreadableDocument | OcrFailure>
  }
>()("docflow/document/DocumentReader") {
  /** The MIME types that can be read. */
  static readonly formats: ReadonlyArray<string> = formats.map((format) => format.mimeType)

  /** Children start when the first document arrives and stay warm. */
  static readonly layerWith = (options: Partial<ReaderOptions>) =>
    Layer.effect(DocumentReader, make({ ...defaults, ...options }))

  static readonly layer: Layer.Layer<DocumentReader, never, Ocr> = DocumentReader.layerWith({})
}
