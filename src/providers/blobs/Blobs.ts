import { Context, Effect, Schema } from "effect"
import { sha256 } from "../../support/Sha256.ts"

/** There is no blob of that name (any more). */
export class BlobMissing extends Schema.TaggedError<BlobMissing>()("BlobMissing", { blob: Schema.String }) {}

/** The stored bytes are not those of the name, or cannot be read. Storing the right bytes again replaces them. */
export class BlobDamaged extends Schema.TaggedError<BlobDamaged>()("BlobDamaged", { blob: Schema.String }) {}

/** Whether a name can be a blob's. No adapter makes a path or a query of any other. */
export const isBlobName = (name: string): boolean => /^[0-9a-f]{64}$/u.test(name)

/** The bytes that a store returned for a blob. BlobDamaged if the name is not their SHA-256. */
export const compared = Effect.fnUntraced(function* (blob: string, bytes: Uint8Array) {
  if ((yield* sha256(bytes)) === blob) return bytes
  yield* Effect.logError("A stored document or result is damaged").pipe(Effect.annotateLogs({ blob }))
  return yield* new BlobDamaged({ blob })
})

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
     * Stores the bytes and returns their name; replaces a damaged blob. Storing the same bytes twice is harmless. `blob` is their
     * SHA-256 if the caller has computed it already.
     */
    put(bytes: Uint8Array, blob?: string): Effect.Effect<string, BlobStoreFailure>
    /** Whether a blob is stored. */
    has(blob: string): Effect.Effect<boolean, BlobStoreFailure>
    /** The bytes of a blob, compared with its name. */
    get(blob: string): Effect.Effect<Uint8Array, BlobMissing | BlobDamaged | BlobStoreFailure>
    remove(blob: string): Effect.Effect<void, BlobStoreFailure>
    /** The blobs whose names begin with these two digits. Removes incomplete files there. */
    list(prefix: string): Effect.Effect<ReadonlyArray<string>, BlobStoreFailure>
  }
>()("docflow/providers/Blobs") {}
