import { Context, type Effect, Schema } from "effect"
import type { DocumentRef } from "../../domain/Document.ts"
import type { BlobStoreFailure } from "../blobs/Blobs.ts"

/** The bytes of the document are no longer stored, or damaged, or the execution may not read them. */
export class DocumentUnavailable extends Schema.TaggedError<DocumentUnavailable>()("DocumentUnavailable", {
  message: Schema.String,
  isDamaged: Schema.optionalKey(Schema.Literal(true))
}) {}

/**
 * The documents that an execution may read: its own. Steps have no other access to the bytes of documents, so whatever
 * a flow or a caller writes in place of a document, no file and no document of others can be reached.
 */
export class OwnDocuments extends Context.Service<
  OwnDocuments,
  {
    /**
     * The bytes of a document, if it belongs to the execution. BlobStoreFailure is not a failure of the step: the engine tries
     * the execution again.
     */
    bytes(
      executionId: string,
      document: DocumentRef
    ): Effect.Effect<Uint8Array, DocumentUnavailable | BlobStoreFailure>
  }
>()("docflow/providers/OwnDocuments") {}

/** The error for a document that the execution does not have; it does not reveal whether another one has it. */
export const notKept = new DocumentUnavailable({
  message: "The execution has no such document, or it is no longer stored."
})

/** The error for a document whose stored bytes have changed. */
export const damaged = new DocumentUnavailable({
  message: "The stored document is damaged: its bytes do not match their SHA-256. Send the document again",
  isDamaged: true
})
