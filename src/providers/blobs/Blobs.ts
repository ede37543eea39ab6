import { Context, type Effect, Schema } from "effect"

/** There is no blob of that name (any more). */
export class BlobMissing extends Schema.TaggedError<BlobMissing>()("BlobMissing", { blob: Schema.String }) {}

/** Whether a name can be a blob's. No adapter makes a path or a query of any other. */
export const isBlobName = (name: string): boolean => /^[0-9a-f]{64}$/u.test(name)

/** The store itself failed: disk full, database unreachable. */
export class BlobStoreFailure extends Schema.TaggedError<BlobStoreFailure>()("BlobStoreFailure", {
  cause: Schema.Defect()
}) {}

/** Stores documents and large step outputs by the SHA-256 of their bytes (lower-case hexadecimal). */
export class Blobs extends Context.Service<
  Blobs,
  {
    /** Whether blobs are rows of the database's table `blobs`, so that a statement can store one with whatever uses it. */
    readonly inDatabase: boolean
    /**
     * Stores the bytes and returns their name. Storing the same bytes twice is harmless. `blob` is their SHA-256 if the
     * caller has computed it already.
     */
    put(bytes: Uint8Array, blob?: string): Effect.Effect<string, BlobStoreFailure>
    /** Whether a blob is stored. */
    has(blob: string): Effect.Effect<boolean, BlobStoreFailure>
    get(blob: string): Effect.Effect<Uint8Array, BlobMissing | BlobStoreFailure>
    remove(blob: string): Effect.Effect<void, BlobStoreFailure>
    /** The blobs whose names begin with these two digits. Removes incomplete files there. */
    list(prefix: string): Effect.Effect<ReadonlyArray<string>, BlobStoreFailure>
  }
>()("docflow/providers/Blobs") {}
