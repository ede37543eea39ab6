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
import { documentBytes } from "./DocumentBytes.ts"
import { openAttachments, OpenedAttachment, UnreadAttachment } from "./OpenAttachments.ts"
import { pageRange, type PageRange, reversedPages } from "./PageRange.ts"

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

const isRead = Schema.is(DocumentIR)

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
