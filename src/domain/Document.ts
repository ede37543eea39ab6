import { Schema } from "effect"

/**
 * A document that was accepted: the name of its blob, its type and size. In a flow it is an opaque handle: only docflow
 * makes one (the checker recognizes it by its `format`), and only the execution that it belongs to can read its bytes.
 */
export const DocumentRef = Schema.Struct({
  /** The SHA-256 of the bytes, in hexadecimal: the name under which the blob store keeps them. */
  blob: Schema.String,
  mimeType: Schema.String,
  filename: Schema.optionalKey(Schema.String),
  /** Size in bytes. */
  size: Schema.Int,
  /** The pages of the whole file, or of the part that this is. */
  pageCount: Schema.Int,
  /** The number of printed pages that the file costs as much as, if it has none: by the size of its text. */
  creditPages: Schema.optionalKey(Schema.Int),
  /**
   * For a file inside the stored one: its index among the attachments, counted from 0; further indices if it is inside
   * an attachment. Absent for the stored file itself.
   */
  attachment: Schema.optionalKey(Schema.Array(Schema.Int)),
  /** The pages of the file that this is, when a flow is run on a part of a document; counted from 1, both included. */
  pages: Schema.optionalKey(Schema.Struct({ from: Schema.Int, to: Schema.Int })),
  /** What has been read of it (a `DocumentIR`), if a flow is run on that: `parse` uses it as it is. */
  read: Schema.optionalKey(Schema.Unknown)
}).annotate({ format: "docflow-document" })
export type DocumentRef = typeof DocumentRef.Type

/** The number of pages for which an execution on a document is charged. */
export const creditPagesOf = ({ creditPages, pageCount }: DocumentRef): number => creditPages ?? pageCount

/** Documents cannot be read at the moment, whatever they contain: a reader was killed, or the system lacks resources. */
export class ReaderUnavailable extends Schema.TaggedError<ReaderUnavailable>()("ReaderUnavailable", {
  message: Schema.String
}) {}

/** The bytes are not a readable document: corrupt, encrypted, without pages, or not of the declared type. */
export class UnreadableDocument extends Schema.TaggedError<UnreadableDocument>()("UnreadableDocument", {
  message: Schema.String
}) {}

/** Why a document was not read. */
export type ReadFailure = UnreadableDocument | ReaderUnavailable

/** The number of pages up to which docflow reads a document at all, whatever its flow allows. */
export const mostPages = 1_000
