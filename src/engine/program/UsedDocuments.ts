import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { RecentAcceptances } from "../placement/RecentAcceptances.ts"
import type { DocumentRef } from "../../domain/Document.ts"
import { Blobs, BlobStoreFailure } from "../../providers/blobs/Blobs.ts"
import { damaged, notKept, OwnDocuments } from "../../providers/documents/OwnDocuments.ts"

/** The documents that an execution keeps according to `blob_uses`, from the store with their bytes. */
export const layer = Layer.effect(
  OwnDocuments,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const blobs = yield* Blobs
    const recent = yield* RecentAcceptances

    const bytes = Effect.fnUntraced(
      function* (executionId: string, { blob }: DocumentRef) {
        const own = recent.findDocument(executionId, blob)
        if (own !== undefined) return own
        const used = yield* sql`
          select 1 from blob_uses
          where execution_id = ${executionId} and blob = ${blob.replaceAll("\u0000", "")} and purpose = 'document'`
        if (used.length === 0) return yield* notKept
        return yield* blobs.get(blob)
      },
      Effect.catchTags({
        BlobMissing: () => Effect.fail(notKept),
        BlobDamaged: () => Effect.fail(damaged),
        SqlError: (cause) => Effect.fail(new BlobStoreFailure({ cause }))
      })
    )

    return OwnDocuments.of({ bytes })
  })
)
