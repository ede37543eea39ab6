import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { DocumentReader } from "../../document/DocumentReader.ts"
import type { PageView } from "../../document/scan/PagePicture.ts"
import type { Caller } from "../../domain/ApiKey.ts"
import { decodeRows } from "../../support/DecodeRows.ts"
import { DocumentRef, type ReaderUnavailable, type UnreadableDocument } from "../../domain/Document.ts"
import { type Box, Page } from "../../domain/DocumentIR.ts"
import { ExecutionNotFound, InternalError, InvalidDocument, InvalidInput } from "../../domain/Errors.ts"
import { ExecutionStatus, isFinished } from "../../domain/Execution.ts"
import type { PageSizes, PageText } from "../../domain/PageText.ts"
import { RecentlyUsed } from "../../support/RecentlyUsed.ts"
import { makeSharedCache } from "../../support/SharedCache.ts"
import { Journal } from "../../engine/journal/Journal.ts"
import type { OutlinedPage } from "../../engine/journal/RecordOutlines.ts"
import type { BlobStoreFailure } from "../../providers/blobs/Blobs.ts"
import { OwnDocuments } from "../../providers/documents/OwnDocuments.ts"
import { attachmentsOf, outlinedPagesOf, type PlaceOnPage, placesOf } from "./PagesOfRecords.ts"
import { recogniseBox, recognitionSide } from "./RecogniseBox.ts"
import { turnsOf, uprightPage, uprightSize } from "./UprightPage.ts"

const unreadable = ({ message }: UnreadableDocument) => new InvalidDocument({ message })

const sizeOf = ({ head }: OutlinedPage) => {
  const { height, width } = uprightSize(head)
  return { page: head.pageNumber, width, height }
}

const decodePage = Schema.decodeUnknownEffect(Schema.fromJsonString(Page))

const notFound = (executionId: string) =>
  new ExecutionNotFound({ message: `Execution not found: ${executionId}` })

const gone = (executionId: string) =>
  new ExecutionNotFound({
    message: `The document of the execution is no longer stored: ${executionId}`
  })

const checkPage = (page: number, { pageCount }: DocumentRef) =>
  page >= 1 && page <= pageCount
    ? Effect.void
    : new InvalidInput({
        message: `Invalid page: ${page} is not between 1 and ${pageCount}`,
        details: { field: "page", reason: `must be between 1 and ${pageCount}` }
      })

/** The errors of showing a page. */
export type PageFailure =
  | ExecutionNotFound
  | InvalidInput
  | InvalidDocument
  | ReaderUnavailable
  | SqlError.SqlError
  | BlobStoreFailure
  | InternalError

/** The longest side of a picture, in pixels, unless the caller asks for another one. */
export const usualSide = 1600

const mebibyte = 1024 * 1024

/** The pages that the steps of an execution read of the document, or of a file inside it. */
interface ReadPages {
  readonly document: DocumentRef
  readonly pages: ReadonlyMap<number, OutlinedPage>
  readonly places: ReadonlyArray<PlaceOnPage>
  readonly attachments: PageSizes["attachments"]
}

/** A page of the document, counted from 1, or of a file inside it. */
export interface WhichPage {
  readonly page: number
  readonly attachment?: string | undefined
}

const notOpened = (attachment: string) =>
  new InvalidInput({
    message: `Invalid attachment: no step opened ${attachment}`,
    details: { field: "attachment", reason: "must be listed in attachments" }
  })

const hasPictures = ({ mimeType }: DocumentRef): boolean =>
  mimeType === "application/pdf" || mimeType.startsWith("image/")

const Row = Schema.Struct({ status: ExecutionStatus, document: Schema.NullOr(DocumentRef) })

/** The pages of an execution's document, for people: pictures, text and the places of fields. */
export class PageViews extends Context.Service<
  PageViews,
  {
    /** The number of pages, and their sizes as far as known. ExecutionNotFound once the document has been removed. */
    sizes(caller: Caller, executionId: string, attachment?: string): Effect.Effect<PageSizes, PageFailure>
    text(caller: Caller, executionId: string, which: WhichPage): Effect.Effect<PageText, PageFailure>
    /** The picture of a page, its longest side at most `side` pixels. */
    picture(
      caller: Caller,
      executionId: string,
      which: WhichPage,
      side: number
    ): Effect.Effect<PageView, PageFailure>
    /** The text in a box of a page, recognised in its picture, for places where no step found text. */
    recognised(
      caller: Caller,
      executionId: string,
      which: WhichPage,
      box: Box
    ): Effect.Effect<string, PageFailure>
  }
>()("docflow/PageViews") {
  static readonly layer = Layer.effect(
    PageViews,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const journal = yield* Journal
      const reader = yield* DocumentReader
      const own = yield* OwnDocuments
      const documents = yield* makeSharedCache<Uint8Array, PageFailure>({
        limit: 128 * mebibyte,
        sizeOf: (bytes) => bytes.length
      })
      const pictures = yield* makeSharedCache<PageView, PageFailure>({
        limit: 48 * mebibyte,
        sizeOf: ({ bytes }) => bytes.length
      })
      const readings = new RecentlyUsed<ReadPages>(2000)

      /** Called at every request, because the caches must serve only those who may see the execution now. */
      const documentOf = Effect.fnUntraced(function* (
        { environment, organizationId }: Caller,
        executionId: string
      ) {
        // PostgreSQL cannot compare such an id.
        if (executionId.includes("\u0000")) return yield* notFound(executionId)
        // Not by `Executions`, which also reads the output: that of a long text takes longer than all of this.
        const rows = yield* sql`
          select status, case when erased_at is null then document end as document from executions
          where id = ${executionId} and organization_id = ${organizationId} and environment = ${environment}`
        const [row] = yield* decodeRows(Row, rows)
        if (row === undefined) return yield* notFound(executionId)
        if (row.document === null) return yield* gone(executionId)
        return { document: row.document, ended: isFinished(row.status) }
      })

      const readBytes = Effect.fnUntraced(function* (executionId: string, document: DocumentRef) {
        const stored = yield* Effect.catchTag(
          own.bytes(executionId, document),
          "DocumentUnavailable",
          (error) =>
            Effect.fail(
              error.isDamaged === true ? new InternalError({ message: error.message }) : gone(executionId)
            )
        )
        let bytes = stored
        for (const index of document.attachment ?? [])
          bytes = yield* Effect.catchTag(reader.attachment(bytes, index), "UnreadableDocument", unreadable)
        return bytes
      })
      const bytesOf = (executionId: string, document: DocumentRef) => {
        const { attachment = [], blob } = document
        return documents.get(
          `${executionId} ${blob} ${attachment.join(".")}`,
          readBytes(executionId, document)
        )
      }

      const readingOf = Effect.fnUntraced(function* (
        caller: Caller,
        executionId: string,
        attachment: string | undefined
      ) {
        const { document, ended } = yield* documentOf(caller, executionId)
        const name = `${executionId} ${attachment ?? ""}`
        const now = yield* Clock.currentTimeMillis
        const kept = readings.find(name, now)
        if (kept !== undefined) return kept
        const outlines = yield* journal.outlines(executionId)
        const records = outlines.map(({ record }) => record)
        const opened = attachmentsOf(records)
        const inside = attachment === undefined ? undefined : opened.get(attachment)
        if (attachment !== undefined && inside === undefined) return yield* notOpened(attachment)
        const reading: ReadPages = {
          // Always the blob of the execution's own document, whatever a step says.
          document: inside === undefined ? document : { ...inside.document, blob: document.blob },
          pages: outlinedPagesOf(outlines, attachment),
          places: placesOf(records, inside?.name),
          attachments: [...opened].map(([number, file]) => ({
            attachment: number,
            name: file.name,
            pageCount: file.document.pageCount
          }))
        }
        // Sized in pages; while the execution runs, more pages may be read at any time.
        if (ended) readings.keep(name, reading, reading.pages.size + 1, now)
        return reading
      })

      /** A page as a step read it; a page that no step read is read now, without recognition. */
      const pageOf = Effect.fnUntraced(function* (
        executionId: string,
        { document, pages }: ReadPages,
        page: number
      ) {
        const known = pages.get(page)
        if (known !== undefined) {
          return yield* Effect.orDie(decodePage(new TextDecoder().decode(known.json)))
        }
        const bytes = yield* bytesOf(executionId, document)
        const read = yield* Effect.catchTags(
          reader.read(bytes, { mimeType: document.mimeType, pages: { from: page, to: page }, ocr: "off" }),
          { UnreadableDocument: unreadable, OcrUnavailable: Effect.die }
        )
        return read.pages[0] ?? (yield* new InvalidDocument({ message: `Page ${page} cannot be read.` }))
      })

      const sizes = Effect.fn("PageViews.sizes")(function* (
        caller: Caller,
        executionId: string,
        attachment?: string
      ) {
        const { attachments, document, pages } = yield* readingOf(caller, executionId, attachment)
        return {
          pageCount: document.pageCount,
          hasPictures: hasPictures(document),
          pages: [...pages.values()]
            .toSorted((one, other) => one.head.pageNumber - other.head.pageNumber)
            .map(sizeOf),
          attachments
        }
      })

      const text = Effect.fn("PageViews.text")(function* (
        caller: Caller,
        executionId: string,
        { attachment, page }: WhichPage
      ) {
        const reading = yield* readingOf(caller, executionId, attachment)
        yield* checkPage(page, reading.document)
        return uprightPage(yield* pageOf(executionId, reading, page), reading.places)
      })

      const picture = Effect.fn("PageViews.picture")(function* (
        caller: Caller,
        executionId: string,
        { attachment, page }: WhichPage,
        side: number
      ) {
        const { document, pages } = yield* readingOf(caller, executionId, attachment)
        yield* checkPage(page, document)
        const known = pages.get(page)
        const turns = known === undefined ? 0 : turnsOf(known.head)
        const name = `${executionId} ${document.blob} ${attachment ?? ""} ${page} ${turns} ${side}`
        const make = Effect.flatMap(bytesOf(executionId, document), (bytes) =>
          Effect.catchTag(
            reader.view(bytes, document.mimeType, { pageNumber: page, turns, side }),
            "UnreadableDocument",
            unreadable
          )
        )
        return yield* pictures.get(name, make)
      })

      const recognised = Effect.fn("PageViews.recognised")(function* (
        caller: Caller,
        executionId: string,
        which: WhichPage,
        box: Box
      ) {
        const { document } = yield* readingOf(caller, executionId, which.attachment)
        if (!hasPictures(document)) return ""
        const { width } = yield* text(caller, executionId, which)
        const view = yield* picture(caller, executionId, which, recognitionSide)
        return yield* recogniseBox(reader, view, width, box)
      })

      return PageViews.of({ sizes, text, picture, recognised })
    })
  )
}
