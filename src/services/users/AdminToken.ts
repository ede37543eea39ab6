import { Context, Effect, FileSystem, Layer, Option, Path, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { notWritable } from "../../sql/FolderLock.ts"
import { Settings } from "../../config/Config.ts"

/**
 * The token of the administration API: from the settings, or created at the first start and stored in the data folder.
 */
export class AdminToken extends Context.Service<AdminToken, Redacted.Redacted>()("docflow/AdminToken") {
  static readonly layer = Layer.effect(
    AdminToken,
    Effect.gen(function* () {
      const settings = yield* Settings
      return Option.isSome(settings.adminToken) ? settings.adminToken.value : yield* kept(settings.dataDir)
    })
  )
}

const kept = Effect.fnUntraced(
  function* (dataDir: string) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const random = yield* SecureRandom.SecureRandom
    const file = path.join(dataDir, "admin-token")
    const read = Effect.map(fs.readFileString(file), (text) =>
      Redacted.make(text.trim(), { label: "admin token" })
    )
    const make = Effect.gen(function* () {
      yield* fs.makeDirectory(dataDir, { recursive: true })
      const token = Buffer.from(yield* random.randomBytes(32)).toString("base64url")
      // Another process may create it at the same time: the first to write wins.
      yield* Effect.ignore(fs.writeFileString(file, `${token}\n`, { flag: "wx", mode: 0o600 }))
      return yield* read
    })
    return yield* (yield* fs.exists(file)) ? read : make
  },
  (effect, dataDir) => Effect.mapError(effect, notWritable(dataDir))
)
