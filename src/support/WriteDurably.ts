import { Effect, FileSystem, Path, type PlatformError } from "effect"
import { SecureRandom } from "effect/crypto"

const isMissing = ({ reason }: PlatformError.PlatformError): boolean => reason._tag === "NotFound"
const isTaken = ({ reason }: PlatformError.PlatformError): boolean => reason._tag === "AlreadyExists"

interface Options {
  /** An existing file remains, and writing fails. */
  readonly isNew?: boolean
  /** The permissions of the file. */
  readonly mode?: number
}

/**
 * Writes files that are read again later, in folders that are created when they are missing: after a crash or on a full disk, a file
 * has all of its bytes, or the file before it is still there. The bytes are written and synced under another name, which begins
 * with a dot and ends in `.tmp`, and moved into place.
 */
export const durableWriter = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const random = yield* SecureRandom.SecureRandom

  /** Waits until the disk has the bytes of a file, or the names of a folder. */
  const sync = (name: string) => Effect.scoped(Effect.flatMap(fs.open(name), (file) => file.sync))

  return Effect.fnUntraced(function* (
    file: string,
    content: string | Uint8Array,
    { isNew = false, mode = 0o666 }: Options = {}
  ) {
    const folder = path.dirname(file)
    const draft = path.join(folder, `.${yield* random.uuidV4()}.tmp`)
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content
    const write = fs.writeFile(draft, bytes, { flag: "wx", mode })
    const rename = fs.rename(draft, file)
    // Unlike a rename, a link replaces nothing. Where the file system has no links, the last of two that write at once wins.
    const link = Effect.catch(fs.link(draft, file), (error) => (isTaken(error) ? Effect.fail(error) : rename))
    yield* Effect.catchIf(write, isMissing, () =>
      Effect.andThen(fs.makeDirectory(folder, { recursive: true }), write)
    ).pipe(
      Effect.andThen(sync(draft)),
      Effect.andThen(isNew ? link : rename),
      Effect.andThen(sync(folder)),
      Effect.ensuring(Effect.ignore(fs.remove(draft, { force: true }))),
      Effect.uninterruptible
    )
  })
})
