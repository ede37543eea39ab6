import { Schema } from "effect"

/** A file inside a document. */
export const Attachment = Schema.Struct({
  /** As the document says; null where it gives none. */
  filename: Schema.NullOr(Schema.String),
  /** As the document says; it proves nothing. */
  mimeType: Schema.optionalKey(Schema.String),
  /** Bytes, counted and not as the document says; absent where the file was not unfolded. */
  size: Schema.optionalKey(Schema.Int),
  /** Shown within the text, such as a logo in a mail; not a document that was sent. */
  inline: Schema.optionalKey(Schema.Literal(true)),
  /** Why it was not read, where it should have been. */
  problem: Schema.optionalKey(Schema.String)
})
export type Attachment = typeof Attachment.Type
