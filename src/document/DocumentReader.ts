import { Context, Effect, Layer } from "effect"
import { mostPages, type ReaderUnavailable, type ReadFailure } from "../domain/Document.ts"
import type { DocumentIR, Page } from "../domain/DocumentIR.ts"
import { Ocr, type OcrUnavailable } from "../providers/ocr/Ocr.ts"
import { Sandbox } from "../sandbox/Sandbox.ts"
import { formats } from "./formats/Formats.ts"
import { type MakePicture, makePictures } from "./scan/MakePictures.ts"
import type { PageView, ViewOf } from "./scan/PagePicture.ts"
import { type Attached, readAttachments } from "./formats/mail/ReadAttachments.ts"
import { makeFirstPages, readTexts } from "./process/ReadTexts.ts"
import { ask } from "./process/ReaderProcess.ts"
import { makeReaderPool, type Source } from "./process/ReaderPool.ts"
import { makeReadScans, pictureAsker } from "./process/ReadScans.ts"
import { defined } from "../support/Defined.ts"
import { inSpan } from "../support/InSpan.ts"
import { pageText } from "../domain/LineText.ts"

/** Characters that a font without a mapping produces: private use, unassigned, controls, the replacement character. */
const noText = /[\p{Co}\p{Cn}\p{Cc}\ufffd]/gu
/** A word of one script, a number, or a sign that is printed alone. */
const isWord =
  /^[("'„“«[]*(?:\p{L}[\p{L}\p{M}'’./&-]*|[-+(\p{Sc}]*\d[\d.,:/%()\p{Sc}-]*)[)"'”»\].,;:!?%]*$|^[-–—•·*|/&+=.:,]+$/u
const longLatin = /^[A-Za-z]{4,}$/u
const vowels = /[aeiou]/giu

/** The minimum number of words, or of characters that are not text, for a decision. */
const fewest = 20
/** The share of such characters, or words, from which a page counts as garbled. */
const most = { characters: 0.3, oddWords: 0.7 } as const
/** The minimum share of vowels among the letters of a page: languages in Latin script have 0.3 and more. */
const fewestVowels = 0.22

const share = <A>(all: ReadonlyArray<A>, is: (one: A) => boolean): number =>
  all.length < fewest ? 0 : all.filter(is).length / all.length

/**
 * Whether the text of a page is garbled: its fonts have no mapping to characters, or a wrong one, so that the visible
 * letters differ from those in the file. Such pages are recognised instead. Codes, addresses and scripts without spaces
 * are text.
 */
const isGarbled = (page: Page): boolean => {
  const text = pageText(page)
  const characters = text.replace(/\s/gu, "")
  const odd = characters.match(noText)?.length ?? 0
  if (odd >= fewest && odd > most.characters * characters.length) return true
  const words = text.split(/\s+/u).filter((word) => word !== "" && /^[\x21-\x7e\u00a0-\u00ff]+$/u.test(word))
  if (share(words, (word) => !isWord.test(word)) > most.oddWords) return true
  const latin = words.filter((word) => longLatin.test(word))
  const letters = latin.join("")
  return latin.length >= fewest && (letters.match(vowels)?.length ?? 0) < fewestVowels * letters.length
}

/** How documents are read; see `DocumentReader.layerWith`. */
export interface ReaderOptions {
  /** Processes that open documents; each has one document at a time. */
  readonly processes: number
  /** Memory that reading a document may take, in MiB. */
  readonly memoryMiB: number
  /** Pages beyond which a document is refused. */
  readonly maxPages: number
  /** Limit for one page, in milliseconds of a child's CPU time. */
  readonly pageLimit: number
  /** Limit for the text of all pages, in milliseconds of the children's CPU time, without recognition. */
  readonly documentLimit: number
  /** Limit for the recognition of one page, in milliseconds, without waiting for other pages. */
  readonly ocrPageLimit: number
}

/** How many first pages are kept until their documents are read, and how long: nobody takes those of refused runs. */
const keptPages = { most: 64, keptFor: "4 seconds" } as const

const defaults: ReaderOptions = {
  processes: 2,
  memoryMiB: 512,
  maxPages: mostPages,
  pageLimit: 8_000,
  documentLimit: 60_000,
  ocrPageLimit: 60_000
}

const notRecognised = (enabled: boolean): string =>
  enabled
    ? "The page holds a picture and no text; recognition was switched off."
    : "The page holds a picture and no text, and recognition is off (DOCFLOW_OCR)."

/** What the sender declared about a document. File names are ignored, because they prove nothing. */
export interface Declared {
  readonly mimeType?: string
  readonly filename?: string
}

/** The type of a document and its pages. */
export interface Inspected {
  readonly mimeType: string
  readonly pageCount: number
  /** The number of printed pages that the document costs as much as, if it has none. */
  readonly creditPages?: number
}

/** When the first page of a document is read ahead: if no other document waits, or also while some do, for a run that is sure. */
export type ReadAheadWhen = "idle" | "sure"

/** What to read of a document. */
export interface ReadOptions {
  readonly mimeType: string
  /** Page numbers, counted from 1, both included; pages past the end are left out. */
  readonly pages?: { readonly from: number; readonly to: number }
  /** Whether scanned pages are recognised; `auto` if a provider is set. */
  readonly ocr?: "auto" | "off"
  /** Called after each page; scanned ones follow the others, in any order. */
  readonly onPage?: (done: number, total: number) => Effect.Effect<void>
}

const garbledText =
  "The text of the page is unreadable because a font maps its letters wrongly. Turn on OCR to recognize the page."

/** The page as a scan: to be recognised. */
const withoutText = ({ height, pageNumber, source, width }: Page): Page => ({
  pageNumber,
  width,
  height,
  lines: [],
  ...defined({ source })
})

const make = Effect.fnUntraced(function* (options: ReaderOptions) {
  const ocr = yield* Ocr
  const readers = yield* makeReaderPool(options)
  const readScans = makeReadScans(readers, ocr, options)
  const firstPages = yield* makeFirstPages(readers, {
    ...keptPages,
    pageLimit: options.pageLimit
  })

  const inspect = (bytes: Uint8Array, declared?: Declared, readAhead?: ReadAheadWhen) => {
    const source: Source = { bytes, mimeType: declared?.mimeType }
    const opened =
      readAhead === undefined
        ? readers.use(source, (_, document) => Effect.succeed(document))
        : firstPages.open(source, readAhead === "sure")
    return inSpan("DocumentReader.inspect")(
      Effect.map(opened, ({ creditPages, mimeType, pageCount }) => ({
        mimeType,
        pageCount,
        ...defined({ creditPages })
      }))
    )
  }

  const attachedTo = (source: Source): Effect.Effect<Attached, ReaderUnavailable> =>
    readers
      .use(source, (reader) => readAttachments(reader, options.pageLimit))
      .pipe(Effect.catchTag("UnreadableDocument", () => Effect.succeed({})))

  const readSource = Effect.fnUntraced(function* (source: Source, read: ReadOptions) {
    const pages: Array<Page> = []
    const scans: Array<Page> = []
    let total = 0
    const keep = Effect.fnUntraced(function* (page: Page) {
      pages.push(page)
      if (read.onPage !== undefined) yield* read.onPage(pages.length, total)
    })
    const recognise = read.ocr !== "off" && ocr.enabled
    const ahead = yield* firstPages.take(source.bytes)
    const opened = yield* readTexts(readers, source, {
      pages: read.pages,
      pageLimit: options.pageLimit,
      documentLimit: options.documentLimit,
      ahead,
      onPage: (page, scanned, ofAll, document) => {
        total = ofAll
        // Text without fonts is taken as it is: a CSV file of codes has no pages that could be recognised instead.
        const drawn = document?.extras?.["layout"] !== "synthetic"
        const garbled = !scanned && drawn && isGarbled(page)
        if (!scanned && !garbled) return keep(page)
        if (recognise) return Effect.sync(() => scans.push(garbled ? withoutText(page) : page))
        return keep(
          garbled
            ? { ...page, problem: garbledText }
            : { ...page, source: "none", problem: notRecognised(ocr.enabled) }
        )
      }
    })
    const damaged = yield* readScans(source, scans, keep)
    if (damaged !== undefined && pages.every((page) => page.problem === damaged.message))
      return yield* damaged
    const { answer: _, attachable, creditPages: __, pageCount, extras, ...facts } = opened
    // Read last: a hostile attachment may crash the child, but must not cost any page.
    const known = ahead && (yield* ahead.attached)
    const attached = known ?? (attachable === true ? yield* attachedTo(source) : {})
    const document: DocumentIR = {
      pages: pages.toSorted((a, b) => a.pageNumber - b.pageNumber),
      extras: { ...extras, pageCount, ...facts, ...attached }
    }
    return document
  })

  const read = (bytes: Uint8Array, read: ReadOptions) => {
    const source: Source = { bytes, mimeType: read.mimeType }
    return inSpan("DocumentReader.read")(readSource(source, read))
  }

  const attachment = Effect.fn("DocumentReader.attachment")((bytes: Uint8Array, index: number) =>
    readers.use({ bytes, mimeType: undefined }, (reader) =>
      Effect.map(ask(reader, { ask: "file", index }, options.pageLimit), (file) => file.bytes)
    )
  )

  const pictures = (bytes: Uint8Array, mimeType: string) =>
    Effect.sync(() => makePictures(readers, { bytes, mimeType }, options.pageLimit))

  const view = Effect.fn("DocumentReader.view")(
    (bytes: Uint8Array, mimeType: string, { pageNumber, side, turns }: ViewOf) =>
      Effect.map(
        pictureAsker(
          readers,
          { bytes, mimeType },
          options.pageLimit
        )<"view">({ ask: "view", index: pageNumber - 1, side, turns }),
        (answer) => answer.view
      )
  )

  const attachments = (bytes: Uint8Array) => attachedTo({ bytes, mimeType: undefined })

  return DocumentReader.of({ inspect, read, attachments, attachment, pictures, view })
})

/**
 * Turns the bytes of a document into the intermediate form. Reading happens in child processes with limits on time and
 * memory: a hostile file costs its own execution and nothing else. Whatever else ends or hinders a child is tried again with
 * another one, and then fails with ReaderUnavailable.
 */
export class DocumentReader extends Context.Service<
  DocumentReader,
  {
    /**
     * Finds the type and the number of pages. The document stays open for a while, so reading the same object next does
     * not open it again. With `readAhead`, its first page is read as well, without waiting for that. Fails if the
     * bytes cannot be read, or are not of the declared type.
     */
    inspect(
      bytes: Uint8Array,
      declared?: Declared,
      readAhead?: ReadAheadWhen
    ): Effect.Effect<Inspected, ReadFailure>
    /**
     * Reads pages. A page that cannot be read or recognised is listed with its `problem`; the others are still read.
     * OcrUnavailable if scanned pages should be recognised and there is no provider.
     */
    read(bytes: Uint8Array, options: ReadOptions): Effect.Effect<DocumentIR, ReadFailure | OcrUnavailable>
    /** The files inside a document, and the electronic invoice among them; as in the `extras` of the result of `read`. */
    attachments(bytes: Uint8Array): Effect.Effect<Attached, ReaderUnavailable>
    /**
     * The bytes of a file inside a document: of the attachment at `index`, counted from 0, in `extras.attachments`.
     * UnreadableDocument if there is none, or if it is damaged or too large.
     */
    attachment(bytes: Uint8Array, index: number): Effect.Effect<Uint8Array, ReadFailure>
    /**
     * Pictures of pages for models with vision, each made on demand. UnreadableDocument for a page of which no picture
     * can be made. Interrupting ends the work on it.
     */
    pictures(bytes: Uint8Array, mimeType: string): Effect.Effect<MakePicture>
    /** The picture of a page for people. UnreadableDocument for a page of which no picture can be made. */
    view(bytes: Uint8Array, mimeType: string, of: ViewOf): Effect.Effect<PageView, ReadFailure>
  }
>()("docflow/document/DocumentReader") {
  /** The MIME types that can be read. */
  static readonly formats: ReadonlyArray<string> = formats.map((format) => format.mimeType)

  /** Children start when the first document arrives, and remain running. */
  static readonly layerWith = (options: Partial<ReaderOptions>) =>
    Layer.effect(DocumentReader, make({ ...defaults, ...options })).pipe(Layer.provide(Sandbox.layer))

  static readonly layer: Layer.Layer<DocumentReader, never, Ocr> = DocumentReader.layerWith({})
}
