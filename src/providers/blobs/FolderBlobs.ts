import { Clock, Effect, FileSystem, Layer, Option, Path } from "effect"
import { SecureRandom } from "effect/crypto"
import { hash } from "node:crypto"
import { BlobMissing, Blobs, BlobStoreFailure, isBlobName } from "./Blobs.ts"

const failure = (cause: unknown) => new BlobStoreFailure({ cause })

/** The maximum time to write a file; an older incomplete file was left by a process that was killed. */
const draftLifetimeMs = 3_600_000

/**
 * Blobs as files of a folder, `<first two characters>/<hash>`. A file is written under another name, synced and
 * renamed, so that an existing file is always complete.
 */
export const layer = (folder: string) =>
  Layer.effect(
    Blobs,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const random = yield* SecureRandom.SecureRandom
      const fileOf = (blob: string) => path.join(folder, blob.slice(0, 2), blob)

      const write = (file: string, bytes: Uint8Array) =>
        Effect.scoped(
          Effect.gen(function* () {
            const handle = yield* fs.open(file, { flag: "wx", mode: 0o600 })
            yield* handle.writeAll(bytes)
            yield* handle.sync
          })
        )

      const put = Effect.fn("Blobs.put")(function* (bytes: Uint8Array, blob = hash("sha256", bytes)) {
        const file = fileOf(blob)
        if (yield* fs.exists(file)) return blob
        yield* fs.makeDirectory(path.dirname(file), { recursive: true })
        const draft = `${file}.${yield* random.uuidV4()}`
        yield* Effect.onError(Effect.andThen(write(draft, bytes), fs.rename(draft, file)), () =>
          Effect.ignore(fs.remove(draft, { force: true }))
        )
        return blob
      }, Effect.mapError(failure))

      const has = (blob: string) => Effect.mapError(fs.exists(fileOf(blob)), failure)

      const get = Effect.fn("Blobs.get")((blob: string) =>
        isBlobName(blob)
          ? Effect.mapError(fs.readFile(fileOf(blob)), (error) =>
              error.reason._tag === "NotFound" ? new BlobMissing({ blob }) : failure(error)
            )
          : Effect.fail(new BlobMissing({ blob }))
      )

      const remove = Effect.fn("Blobs.remove")((blob: string) =>
        isBlobName(blob) ? Effect.mapError(fs.remove(fileOf(blob), { force: true }), failure) : Effect.void
      )

      /** Removes a file that a killed process left incomplete. */
      const removeOldDraft = (file: string, now: number) =>
        Effect.ignore(
          Effect.gen(function* () {
            const { mtime } = yield* fs.stat(file)
            const at = Option.getOrUndefined(mtime)?.getTime() ?? now
            if (now - at > draftLifetimeMs) yield* fs.remove(file, { force: true })
          })
        )

      const list = Effect.fn("Blobs.list")(function* (prefix: string) {
        const inside = path.join(folder, prefix)
        if (!(yield* fs.exists(inside))) return []
        const names = yield* fs.readDirectory(inside)
        const now = yield* Clock.currentTimeMillis
        const drafts = names.filter((name) => !isBlobName(name))
        yield* Effect.forEach(drafts, (name) => removeOldDraft(path.join(inside, name), now), {
          discard: true
        })
        return names.filter(isBlobName)
      }, Effect.mapError(failure))

      return Blobs.of({ inDatabase: false, put, has, get, remove, list })
    })
  )
