import { Schema } from "effect"

/** A document that was accepted: where its bytes are kept, and what they are. */
export const DocumentRef = Schema.Struct({
  /** The SHA-256 of the bytes, in hexadecimal: the name under which the blob store keeps them. */
  blob: Schema.String,
  mimeType: Schema.String,
  filename: Schema.optionalKey(Schema.String),
  /** Size in bytes. */
  size: Schema.Int,
  pageCount: Schema.Int
})
export type DocumentRef = typeof DocumentRef.Type

/** The bytes are not a document that can be read: corrupt, encrypted, no pages, or not the type they claim. */
export class UnreadableDocument extends Schema.TaggedError<UnreadableDocument>()("UnreadableDocument", {
  message: Schema.String
}) {}
