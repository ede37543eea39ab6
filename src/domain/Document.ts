import { Schema } from "effect"

/**
 * A document that was accepted: where its bytes are kept, and what they are. In a flow it is an opaque handle: nobody but
 * docflow makes one (the checker knows it by its `format`), and only the execution that it belongs to can read its bytes.
 */
export const DocumentRef = Schema.Struct({
  /** The SHA-256 of the bytes, in hexadecimal: the name under which the blob store keeps them. */
  blob: Schema.String,
  mimeType: Schema.String,
  filename: Schema.optionalKey(Schema.String),
  /** Size in bytes. */
  size: Schema.Int,
  /** Of the whole file, or of the part that this is. */
  pageCount: Schema.Int,
  /**
   * Where a file inside the stored one is meant: its place among the attachments, counted from 0; further numbers where it is
   * inside an attachment. Absent for the stored file itself.
   */
  attachment: Schema.optionalKey(Schema.Array(Schema.Int)),
  /** The pages of the file that this is, when a flow is run on a part of a document; counted from 1, both included. */
  pages: Schema.optionalKey(Schema.Struct({ from: Schema.Int, to: Schema.Int })),
  /** What was read of it already (a `DocumentIR`), when a flow is run on that: `parse` takes it as it is. */
  read: Schema.optionalKey(Schema.Unknown)
}).annotate({ format: "docflow-document" })
export type DocumentRef = typeof DocumentRef.Type

/** The bytes are not a document that can be read: corrupt, encrypted, no pages, or not the type they claim. */
export class UnreadableDocument extends Schema.TaggedError<UnreadableDocument>()("UnreadableDocument", {
  message: Schema.String
}) {}
