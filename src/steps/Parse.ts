import { Effect, Schema } from "effect"
import * as StepKind from "../../dsl/model/StepKind.ts"
import { DocumentReader } from "../document/DocumentReader.ts"
import { DocumentRef, UnreadableDocument } from "../domain/Document.ts"
import {
  DocumentIR,
  documentMarkdown,
  documentText,
  recognitionWarnings,
  wordCount
} from "../domain/DocumentIR.ts"
import { defined } from "../support/Defined.ts"
import { documentBytes, pageRange, type PageRange, reversedPages } from "./DocumentBytes.ts"
import type { Attachment } from "../domain/Attachment.ts"

/** The maximum nesting of attachments: a mail in a mail in a mail. */
const mostDepth = 4
/** The maximum number of opened files: mails full of mails multiply. */
const mostOpened = 50
/**
 * The maximum number of their pages, with live and with test keys: when a run is accepted, only the pages of the
 * document that was sent count for limits and credits.
 */
const mostPages = { live: 100, test: 10 }

const mails = new Set(["message/rfc822", "application/vnd.ms-outlook"])

/** A file inside a document, as a document that later steps can read. */
const OpenedAttachment = Schema.Struct({
  /** As stated in the document; null if there is none. */
  name: Schema.NullOr(Schema.String),
  document: DocumentRef
})

/** A file inside a document that cannot be read, and why. */
const UnreadAttachment = Schema.Struct({
  name: Schema.NullOr(Schema.String),
  problem: Schema.String
})

/** The files inside a document: those that can be read, and the others. */
interface OpenedAttachments {
  readonly attachments: ReadonlyArray<typeof OpenedAttachment.Type>
  readonly unreadAttachments: ReadonlyArray<typeof UnreadAttachment.Type>
}

const none: OpenedAttachments = { attachments: [], unreadAttachments: [] }

/** A file whose attachments are opened: its bytes, and its path from the stored file. */
interface Outer {
  readonly bytes: Uint8Array
  readonly path: ReadonlyArray<number>
  readonly extras: Pick<DocumentIR["extras"], "attachments" | "invoice">
}

/**
 * Whether an attachment is a document: an electronic invoice is data of the outer document, and a logo in a mail is
 * none.
 */
const isDocument = ({ extras }: Outer, { filename, inline }: Attachment): boolean =>
  inline !== true && (extras.invoice === undefined || extras.invoice.attachment !== (filename ?? ""))

const tooManyPages = (most: number) =>
  new UnreadableDocument({
    message: `The attachment was not read: all attachments together have more than ${most} pages. Send it as a separate document.`
  })

/** Why a file is not opened. */
const refusal = ({ problem, size }: Attachment, depth: number, opened: number): string | undefined => {
  if (depth >= mostDepth) return `It is nested too deeply; the limit is ${mostDepth} levels.`
  if (size !== undefined && opened < mostOpened) return undefined
  return problem ?? "It was not read: there are too many attachments, or they are too large."
}

/**
 * Opens the files inside a document, and those inside mails among them, and finds their types and pages. Their bytes
 * are not copied: each refers to the stored document with its path. Never fails: what cannot be opened is listed with
 * its problem.
 */
const openAttachments = Effect.fnUntraced(function* (
  document: DocumentRef,
  bytes: Uint8Array,
  { extras }: DocumentIR,
  environment: "live" | "test"
) {
  // What is inside a mail in a mail was opened with the outer one.
  if (document.attachment !== undefined && mails.has(document.mimeType)) return none
  const attachments: Array<typeof OpenedAttachment.Type> = []
  const unreadAttachments: Array<typeof UnreadAttachment.Type> = []
  const opened: OpenedAttachments = { attachments, unreadAttachments }
  const outers: Array<Outer> = [{ bytes, path: document.attachment ?? [], extras }]
  const reader = yield* DocumentReader
  let pages = 0

  const open = Effect.fnUntraced(function* (outer: Outer, index: number, file: Attachment) {
    const path = [...outer.path, index]
    const inside = yield* reader.attachment(outer.bytes, index)
    const facts = yield* reader.inspect(inside)
    if (pages + facts.pageCount > mostPages[environment]) return yield* tooManyPages(mostPages[environment])
    pages += facts.pageCount
    const named = file.filename === null ? {} : { filename: file.filename }
    const ref = { blob: document.blob, attachment: path, size: inside.length, ...facts, ...named }
    attachments.push({ name: file.filename, document: ref })
    if (mails.has(facts.mimeType))
      outers.push({ bytes: inside, path, extras: yield* reader.attachments(inside) })
  })

  for (const outer of outers) {
    for (const [index, file] of (outer.extras.attachments ?? []).entries()) {
      if (!isDocument(outer, file)) continue
      const refused = refusal(file, outer.path.length, attachments.length)
      const unread = (problem: string) => void unreadAttachments.push({ name: file.filename, problem })
      if (refused === undefined)
        yield* Effect.catchTag(open(outer, index, file), "UnreadableDocument", ({ message }) =>
          Effect.sync(() => unread(message))
        )
      else unread(refused)
    }
  }
  return opened
})

/** The configuration of a `parse` step. */
export const ParseConfig = Schema.Struct({
  document: DocumentRef.annotate({
    description: "Document to read, usually `${{ input.document }}`."
  }),
  ocr: Schema.optionalKey(
    Schema.Literals(["auto", "off"]).annotate({
      description: "Whether to recognise scanned pages: `auto`, as DOCFLOW_OCR says, or `off`. Default: auto."
    })
  ),
  pages: Schema.optionalKey(
    pageRange(
      "First and last page to read, counted from 1; pages past the end of the document are left out, with a warning if none is left. Default: all pages."
    )
  ),
  unreadPages: Schema.optionalKey(
    Schema.Literals(["list", "fail"]).annotate({
      description:
        "What to do about a page that cannot be read: `list` it with its `problem`, or `fail` the step. Default: list."
    })
  )
})

/** The output of a `parse` step. */
export const ParseOutput = Schema.Struct({
  document: DocumentIR.annotate({
    description: "The document as other steps take it: its pages with lines, words and bounding boxes."
  }),
  pageCount: Schema.Int.annotate({
    description: "Number of pages of the whole document, however many were read."
  }),
  wordCount: Schema.Int.annotate({ description: "Number of words on the pages that were read." }),
  text: Schema.String.annotate({ description: "Text of the pages, separated by form feeds." }),
  markdown: Schema.String.annotate({
    description: "The pages as Markdown: headings, lists and tables where they were found."
  }),
  attachments: Schema.Array(OpenedAttachment).annotate({
    description: "Files inside the document that can be read, such as those of a mail, for `parse` or `flow`."
  }),
  unreadAttachments: Schema.Array(UnreadAttachment).annotate({
    description: "Other files inside the document, and why they cannot be read."
  }),
  warnings: Schema.Array(Schema.String).annotate({
    description:
      "Warnings: a range of pages that the document does not have, pages that could not be read, a language without data for recognition."
  })
})

const isOutline = Schema.is(
  Schema.Struct({
    pages: Schema.Array(Schema.Struct({ lines: Schema.Array(Schema.Unknown) })),
    extras: Schema.Struct({ pageCount: Schema.Int })
  })
)

/** Whether a document was read before. The step that handed it over checked its layout, which may have a million words. */
const isRead = (read: unknown): read is DocumentIR => isOutline(read)

/** Reads the document, or the part of it that the flow runs on; reuses what has been read of it. */
const readPart = Effect.fnUntraced(function* (
  { document, ocr, pages }: typeof ParseConfig.Type,
  { environment, executionId, progress }: StepKind.StepContext
) {
  const { pages: part, read } = document
  if (isRead(read)) {
    const kept = pages === undefined ? read : { ...read, pages: read.pages.slice(pages.from - 1, pages.to) }
    return { made: kept, attachments: [], unreadAttachments: [] }
  }
  const reader = yield* DocumentReader
  const range = part === undefined ? pages : pages === undefined ? part : pagesWithin(part, pages)
  const bytes = yield* documentBytes(executionId, document)
  const made = yield* reader.read(bytes, {
    mimeType: document.mimeType,
    ...defined({ pages: range, ocr }),
    onPage: (done, total) => progress(done / total)
  })
  const opened = yield* openAttachments(document, bytes, made, environment)
  const { attachment: path, filename, pageCount } = document
  const attachment = path === undefined ? undefined : { path, name: filename ?? "unnamed attachment" }
  const ofPart = part === undefined ? {} : { pageCount }
  const extras = { ...made.extras, ...ofPart, ...defined({ attachment }) }
  return { made: { ...made, extras }, ...opened }
})

/** Converts pages of a part, counted from 1 within it, to pages of the whole file. */
const pagesWithin = (part: PageRange, { from, to }: PageRange): PageRange => ({
  from: part.from + from - 1,
  to: Math.min(part.from + to - 1, part.to)
})

/** Fails for a flow that requires all pages. */
const refuseUnread = (document: DocumentIR): Effect.Effect<void, UnreadableDocument> => {
  const unread = document.pages.find((page) => page.problem !== undefined)
  if (unread === undefined) return Effect.void
  return Effect.fail(
    new UnreadableDocument({ message: `Page ${unread.pageNumber} was not read: ${unread.problem}` })
  )
}

/** Warns of pages that could not be read, each reason once. */
const unreadPages = ({ pages }: DocumentIR): ReadonlyArray<string> => {
  const numbers = new Map<string, Array<number>>()
  for (const { pageNumber, problem } of pages)
    if (problem !== undefined) numbers.set(problem, [...(numbers.get(problem) ?? []), pageNumber])
  return [...numbers].map(
    ([problem, found]) =>
      `${found.length === 1 ? "Page" : "Pages"} ${found.join(", ")} could not be read: ${problem}`
  )
}

/** Warns of pages none of which exist; a range may end past the end of a document, as the first three pages of any. */
const absentPages = (
  pages: PageRange | undefined,
  { extras, pages: read }: DocumentIR
): ReadonlyArray<string> => {
  if (pages === undefined || read.length > 0) return []
  const { pageCount } = extras
  if (pages.from <= pageCount)
    return [`No page was read: \`pages\` ends at page ${pages.to}, before it begins at page ${pages.from}.`]
  const are = pageCount === 1 ? "is 1 page" : `are ${pageCount} pages`
  return [`No page was read: \`pages\` begins at page ${pages.from}, but there ${are}.`]
}

/** The step kind `parse`: converts the bytes of a document into text, with the position of every word. */
export const parse = StepKind.make("parse", {
  description:
    "Read a document: its text by lines and words, each with its bounding box. Scanned pages go through OCR.",
  example: `- id: read
  uses: parse
  with: { document: "\${{ input.document }}", unreadPages: fail }`,
  config: ParseConfig,
  output: ParseOutput,
  errors: { UnreadableDocument: "INVALID_DOCUMENT", OcrUnavailable: "PROVIDER_ERROR" },
  onlyComputes: true,
  readsDocument: true,
  problems: reversedPages,
  // The API calls the document `documentIR`, which includes its text.
  artifact: ({ document, pageCount, warnings, wordCount }) => ({
    pageCount,
    wordCount,
    documentIR: document,
    ...(warnings.length === 0 ? {} : { warnings })
  }),
  run: Effect.fnUntraced(function* (config, context) {
    const { made: document, ...attached } = yield* readPart(config, context)
    if (config.unreadPages === "fail") yield* refuseUnread(document)
    return {
      document,
      pageCount: document.extras.pageCount,
      wordCount: wordCount(document),
      text: documentText(document),
      markdown: documentMarkdown(document),
      ...attached,
      warnings: [
        ...absentPages(config.pages, document),
        ...unreadPages(document),
        ...recognitionWarnings(document)
      ]
    }
  })
})
