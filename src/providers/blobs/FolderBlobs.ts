import { Clock, Effect, FileSystem, Layer, Option, Path, type PlatformError } from "effect"
import { sha256 } from "../../support/Sha256.ts"
import { existsSync } from "node:fs"
import { BlobDamaged, BlobMissing, Blobs, BlobStoreFailure, compared, isBlobName } from "./Blobs.ts"
import { limitBlobs } from "./LimitedBlobs.ts"
import { inSpan } from "../../support/InSpan.ts"
import { durableWriter } from "../../support/WriteDurably.ts"

const failure = (cause: unknown) => new BlobStoreFailure({ cause })

/** The maximum time to write a file; an older incomplete file was left by a process that was killed. */
const draftLifetimeMs = 3_600_000

/**
 * Whether a file is there, asked without the threads that Node.js has for files: the way to them and back costs more than the
 * answer, and each run asks twice.
 */
const isThere = (file: string) => Effect.sync(() => existsSync(file))

/**
 * Blobs as files of a folder, `<first two characters>/<hash>`. A file is written under another name, synced and
 * renamed, so that an existing file is always complete. What is read is compared with its name: a disk may change it.
 */
export const layer = (folder: string) =>
  Layer.effect(
    Blobs,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const write = yield* durableWriter
      const fileOf = (blob: string) => path.join(folder, blob.slice(0, 2), blob)

      /** What failed, if a file cannot be read: the file, or the disk, if its folder cannot be read either. */
      const unreadable = (
        blob: string,
        error: PlatformError.PlatformError
      ): Effect.Effect<never, BlobMissing | BlobDamaged | BlobStoreFailure> => {
        const { _tag } = error.reason
        if (_tag === "NotFound") return Effect.fail(new BlobMissing({ blob }))
        const accessing = fs.access(path.dirname(fileOf(blob)), { readable: true })
        return _tag === "PermissionDenied"
          ? Effect.andThen(Effect.mapError(accessing, failure), Effect.fail(new BlobDamaged({ blob })))
          : Effect.fail(_tag === "BadResource" ? new BlobDamaged({ blob }) : failure(error))
      }

      /** The stored bytes, which may be others than those of the name. */
      const read = Effect.fnUntraced(function* (blob: string) {
        const file = fileOf(blob)
        const { type } = yield* fs.stat(file)
        return type === "File" ? yield* fs.readFile(file) : yield* new BlobDamaged({ blob })
      })
      const readable = (blob: string) =>
        Effect.catchTag(read(blob), "PlatformError", (error) => unreadable(blob, error))

      const put = Effect.fnUntraced(
        function* (bytes: Uint8Array, known?: string) {
          const blob = known ?? (yield* sha256(bytes))
          const file = fileOf(blob)
          if (yield* isThere(file)) {
            const found = yield* Effect.catchTag(readable(blob), ["BlobDamaged", "BlobMissing"], () =>
              // A file cannot be renamed over a folder.
              Effect.as(fs.remove(file, { force: true, recursive: true }), undefined)
            )
            if (found !== undefined && Buffer.compare(found, bytes) === 0) return blob
          }
          yield* write(file, bytes, { mode: 0o600 })
          return blob
        },
        Effect.catchTag("PlatformError", (error) => Effect.fail(failure(error))),
        inSpan("Blobs.put")
      )

      const has = (blob: string) => isThere(fileOf(blob))

      const get = Effect.fn("Blobs.get")(function* (blob: string) {
        return yield* compared(
          blob,
          isBlobName(blob) ? yield* readable(blob) : yield* new BlobMissing({ blob })
        )
      })

      const remove = Effect.fn("Blobs.remove")((blob: string) =>
        isBlobName(blob)
          ? Effect.mapError(fs.remove(fileOf(blob), { force: true, recursive: true }), failure)
          : Effect.void
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

      return limitBlobs({ inDatabase: false, put, has, get, remove, list })
    })
  )
