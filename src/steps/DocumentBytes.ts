import { Effect, Schema } from "effect"
import type { DocumentRef } from "../domain/Document.ts"
import { Blobs } from "../providers/blobs/Blobs.ts"

/** The bytes of the document could not be fetched from the blob store. */
export class DocumentUnavailable extends Schema.TaggedError<DocumentUnavailable>()("DocumentUnavailable", {
  message: Schema.String
}) {}

/** The bytes of a document, from the blob store. */
export const documentBytes = Effect.fnUntraced(function* (document: DocumentRef) {
  const blobs = yield* Blobs
  return yield* blobs.get(document.blob).pipe(
    Effect.catchTags({
      BlobMissing: () =>
        Effect.fail(new DocumentUnavailable({ message: "The document is not kept any more." })),
      BlobStoreFailure: (error) =>
        Effect.logError("A document could not be fetched", error.cause).pipe(
          Effect.andThen(
            Effect.fail(new DocumentUnavailable({ message: "The document could not be fetched." }))
          )
        )
    })
  )
})
