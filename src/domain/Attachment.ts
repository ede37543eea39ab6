import { Schema } from "effect"

/** A file inside a document. */
export const Attachment = Schema.Struct({
  /** As stated in the document; null if there is none. */
  filename: Schema.NullOr(Schema.String),
  /** As stated in the document; not verified. */
  mimeType: Schema.optionalKey(Schema.String),
  /** Bytes, as counted rather than as stated; absent if the file was not decompressed. */
  size: Schema.optionalKey(Schema.Int),
  /** Whether it is shown within the text, such as a logo in a mail, rather than a document that was sent. */
  inline: Schema.optionalKey(Schema.Literal(true)),
  /** Why it could not be read. */
  problem: Schema.optionalKey(Schema.String)
})
export type Attachment = typeof Attachment.Type
