import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, FileSystem, Layer, PlatformError, Redacted } from "effect"
import { join } from "node:path"
import { platform } from "../../../src/app/StorageLayers.ts"
import { Settings } from "../../../src/config/Config.ts"
import { AdminToken } from "../../../src/services/users/AdminToken.ts"
import { isSameSecret } from "../../../src/services/users/IsSameSecret.ts"

/** The token of a start with this data folder. */
const started = (dataDir: string, fs: FileSystem.FileSystem) =>
  AdminToken.pipe(
    Effect.map(Redacted.value),
    Effect.provide(
      Layer.fresh(AdminToken.layer).pipe(
        Layer.provide(Settings.layer),
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env: { DOCFLOW_DATA_DIR: dataDir } }))),
        Layer.provide(Layer.succeed(FileSystem.FileSystem, fs))
      )
    )
  )

/** A disk that is full after so many bytes: what fits is written. */
const fullAfter = (fs: FileSystem.FileSystem, room: number): FileSystem.FileSystem => ({
  ...fs,
  writeFile: (path, data, options) =>
    Effect.andThen(
      fs.writeFile(path, data.subarray(0, room), options),
      Effect.fail(
        PlatformError.systemError({
          _tag: "Unknown",
          module: "FileSystem",
          method: "writeFile",
          description: "ENOSPC"
        })
      )
    )
})

const inFolder = <A, E>(
  use: (folder: string, fs: FileSystem.FileSystem) => Effect.Effect<A, E, Layer.Success<typeof platform>>
) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    return yield* use(yield* fs.makeTempDirectoryScoped(), fs)
  }).pipe(Effect.scoped, Effect.provide(platform))

describe("the admin token", () => {
  it.live("is created once, whole or not at all, whatever room the disk has", () =>
    inFolder((folder, fs) =>
      Effect.gen(function* () {
        for (const room of [0, 1, 43])
          assert.strictEqual(
            (yield* Effect.flip(started(folder, fullAfter(fs, room))))._tag,
            "FolderNotWritable"
          )
        assert.deepStrictEqual(yield* fs.readDirectory(folder), [])
        const starts = yield* Effect.forEach([1, 2, 3, 4], () => started(folder, fs), {
          concurrency: "unbounded"
        })
        assert.match(starts[0] ?? "", /^[\w-]{43}$/u)
        assert.strictEqual(new Set(starts).size, 1)
        assert.deepStrictEqual(yield* fs.readDirectory(folder), ["admin-token"])
        assert.strictEqual((yield* fs.stat(join(folder, "admin-token"))).mode & 0o777, 0o600)
      })
    )
  )

  it.live("is refused if its file holds less than was written", () =>
    inFolder((folder, fs) =>
      Effect.gen(function* () {
        for (const text of ["", "\n", "x".repeat(42)]) {
          yield* fs.writeFileString(join(folder, "admin-token"), text)
          const refused = yield* Effect.flip(started(folder, fs))
          assert.strictEqual(refused._tag, "AdminTokenDamaged")
          assert.include(refused.message, join(folder, "admin-token"))
        }
      })
    )
  )
})

const same = (a: string, b: string) => isSameSecret(Redacted.make(a), Redacted.make(b))

describe("secrets", () => {
  it("are the same if they are equal and not empty", () => {
    assert.isTrue(same("a secret", "a secret"))
    for (const [a, b] of [
      ["", ""],
      ["", "a"],
      ["a", ""],
      ["a", "b"],
      ["a", "aa"]
    ] as const)
      assert.isFalse(same(a, b))
  })
})
