import { Effect, Layer } from "effect"
import { hash } from "node:crypto"
import { BlobMissing, Blobs } from "./Blobs.ts"

/** Blobs in memory: for embedding programs and tests. */
export const layer = Layer.sync(Blobs, () => {
  const kept = new Map<string, Uint8Array>()
  return Blobs.of({
    put: (bytes, blob = hash("sha256", bytes)) =>
      Effect.sync(() => {
        kept.set(blob, bytes)
        return blob
      }),
    has: (blob) => Effect.sync(() => kept.has(blob)),
    get: (blob) =>
      Effect.suspend(() => {
        const bytes = kept.get(blob)
        return bytes === undefined ? new BlobMissing({ blob }) : Effect.succeed(bytes)
      }),
    remove: (blob) => Effect.sync(() => void kept.delete(blob))
  })
})
