import { Context, type Effect, Schema } from "effect"

/** No blob of that name is kept (any more). */
export class BlobMissing extends Schema.TaggedError<BlobMissing>()("BlobMissing", { blob: Schema.String }) {}

/** The store itself failed: disk full, database unreachable. */
export class BlobStoreFailure extends Schema.TaggedError<BlobStoreFailure>()("BlobStoreFailure", {
  cause: Schema.Defect()
}) {}

/** Where documents and big step results are kept, by the SHA-256 of their bytes (lower-case hexadecimal). */
export class Blobs extends Context.Service<
  Blobs,
  {
    /** Keeps the bytes and returns their name. Keeping the same bytes twice is harmless. */
    put(bytes: Uint8Array): Effect.Effect<string, BlobStoreFailure>
    get(blob: string): Effect.Effect<Uint8Array, BlobMissing | BlobStoreFailure>
    remove(blob: string): Effect.Effect<void, BlobStoreFailure>
  }
>()("docflow/providers/Blobs") {}
