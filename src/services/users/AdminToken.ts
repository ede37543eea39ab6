import { Context, Effect, FileSystem, Layer, Option, Path, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { notWritable } from "../../sql/FolderLock.ts"
import { Settings } from "../../config/Config.ts"
import { durableWriter } from "../../support/WriteDurably.ts"

/** The file of the admin token is not as docflow wrote it. */
export class AdminTokenDamaged extends Schema.TaggedError<AdminTokenDamaged>()("AdminTokenDamaged", {
  message: Schema.String
}) {}

const tokenBytes = 32
/** The length of a token in base64url. */
const tokenLength = Math.ceil((tokenBytes * 4) / 3)

const fileIn = (dataDir: string) => Effect.map(Path.Path, (path) => path.join(dataDir, "admin-token"))

/** The admin token that the first start stored in the data folder. AdminTokenDamaged if the file holds less than a whole token. */
export const storedAdminToken = Effect.fnUntraced(function* (dataDir: string) {
  const fs = yield* FileSystem.FileSystem
  const file = yield* fileIn(dataDir)
  const token = (yield* fs.readFileString(file)).trim()
  if (token.length >= tokenLength) return Redacted.make(token, { label: "admin token" })
  return yield* new AdminTokenDamaged({
    message:
      `${file} is damaged: it has ${token.length} of the ${tokenLength} characters of an admin token. Restore it from a ` +
      `backup. Or remove it, so that a new token is created; stored webhook secrets and provider keys can then no longer be read`
  })
})

const create = Effect.fnUntraced(
  function* (dataDir: string) {
    const random = yield* SecureRandom.SecureRandom
    const write = yield* durableWriter
    const token = Buffer.from(yield* random.randomBytes(tokenBytes)).toString("base64url")
    // Another process may create it at the same time: the first to write wins.
    yield* Effect.catchIf(
      write(yield* fileIn(dataDir), `${token}\n`, { isNew: true, mode: 0o600 }),
      ({ reason }) => reason._tag === "AlreadyExists",
      () => Effect.void
    )
  },
  (effect, dataDir) => Effect.mapError(effect, notWritable(dataDir))
)

/**
 * The token of the administration API: from the settings, or created at the first start and stored in the data folder.
 */
export class AdminToken extends Context.Service<AdminToken, Redacted.Redacted>()("docflow/AdminToken") {
  static readonly layer = Layer.effect(
    AdminToken,
    Effect.gen(function* () {
      const { adminToken, dataDir } = yield* Settings
      if (Option.isSome(adminToken)) return adminToken.value
      const stored = Effect.catchTag(storedAdminToken(dataDir), "PlatformError", notWritable(dataDir))
      const fs = yield* FileSystem.FileSystem
      const exists = yield* Effect.mapError(fs.exists(yield* fileIn(dataDir)), notWritable(dataDir))
      return yield* exists ? stored : Effect.andThen(create(dataDir), stored)
    })
  )
}
