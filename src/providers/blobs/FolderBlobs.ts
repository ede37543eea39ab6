import { Clock, Effect, FileSystem, Layer, Option, Path } from "effect"
import { SecureRandom } from "effect/crypto"
import { hash } from "node:crypto"
import { existsSync } from "node:fs"
import { open } from "node:fs/promises"
import { BlobMissing, Blobs, BlobStoreFailure, isBlobName } from "./Blobs.ts"
import { inSpan } from "../../support/InSpan.ts"

const failure = (cause: unknown) => new BlobStoreFailure({ cause })

/** The maximum time to write a file; an older incomplete file was left by a process that was killed. */
const draftLifetimeMs = 3_600_000

/**
 * Whether a file is there, asked without the threads that Node.js has for files: the way to them and back costs more than the
 * answer, and each run asks twice.
 */
const isThere = (file: string) => Effect.sync(() => existsSync(file))

const isMissing = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && cause.code === "ENOENT"

/** Writes a new file, and waits until it is on the disk. Not as single effects: a run with a new document waits for this. */
const writeNew = (file: string, bytes: Uint8Array) =>
  Effect.uninterruptible(
    Effect.tryPromise({
      try: async () => {
        const handle = await open(file, "wx", 0o600)
        try {
          await handle.writeFile(bytes)
          await handle.sync()
        } finally {
          await handle.close()
        }
      },
      catch: (cause) => cause
    })
  )

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

      /** Most folders are there, so that one is only made once it was missed. */
      const write = (file: string, bytes: Uint8Array) =>
        Effect.catchIf(writeNew(file, bytes), isMissing, () =>
          Effect.andThen(fs.makeDirectory(path.dirname(file), { recursive: true }), writeNew(file, bytes))
        )

      const put = Effect.fnUntraced(
        function* (bytes: Uint8Array, blob = hash("sha256", bytes)) {
          const file = fileOf(blob)
          if (yield* isThere(file)) return blob
          const draft = `${file}.${yield* random.uuidV4()}`
          yield* Effect.onError(Effect.andThen(write(draft, bytes), fs.rename(draft, file)), () =>
            Effect.ignore(fs.remove(draft, { force: true }))
          )
          return blob
        },
        Effect.mapError(failure),
        inSpan("Blobs.put")
      )

      const has = (blob: string) => isThere(fileOf(blob))

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
