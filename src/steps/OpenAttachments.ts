import { Effect, Schema } from "effect"
import { DocumentReader } from "../document/DocumentReader.ts"
import type { Attachment } from "../domain/Attachment.ts"
import { DocumentRef, UnreadableDocument } from "../domain/Document.ts"
import type { DocumentIR } from "../domain/DocumentIR.ts"

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
export const OpenedAttachment = Schema.Struct({
  /** As stated in the document; null if there is none. */
  name: Schema.NullOr(Schema.String),
  document: DocumentRef
})

/** A file inside a document that cannot be read, and why. */
export const UnreadAttachment = Schema.Struct({
  name: Schema.NullOr(Schema.String),
  problem: Schema.String
})

/** The files inside a document: those that can be read, and the others. */
export interface OpenedAttachments {
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
export const openAttachments = Effect.fnUntraced(function* (
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
