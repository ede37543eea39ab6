import { Context, type Effect, Schema } from "effect"
import type { DocumentRef } from "../../domain/Document.ts"
import type { BlobStoreFailure } from "../blobs/Blobs.ts"

/** The bytes of the document are no longer stored, or are not the execution's to read. */
export class DocumentUnavailable extends Schema.TaggedError<DocumentUnavailable>()("DocumentUnavailable", {
  message: Schema.String
}) {}

/**
 * The documents that an execution may read: its own. Steps have no other way to a document's bytes, so that whatever a
 * flow or a caller writes where a document belongs, no file and no document of somebody else can be reached.
 */
export class OwnDocuments extends Context.Service<
  OwnDocuments,
  {
    /**
     * The bytes of a document, if it belongs to the execution. BlobStoreFailure is no failure of the step: the engine tries
     * the execution again.
     */
    bytes(
      executionId: string,
      document: DocumentRef
    ): Effect.Effect<Uint8Array, DocumentUnavailable | BlobStoreFailure>
  }
>()("docflow/providers/OwnDocuments") {}

/** What a step is told of a document that is not there for it; it does not say whether somebody else has it. */
export const notKept = new DocumentUnavailable({
  message: "The execution has no such document, or it is no longer stored."
})
