import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { hash } from "node:crypto"
import { join } from "node:path"
import { Blobs } from "../../src/providers/blobs/Blobs.ts"
import * as FolderBlobs from "../../src/providers/blobs/FolderBlobs.ts"

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** Runs with a store in a folder that does not exist yet, inside one that is removed afterwards. */
const inFolder = <A, E>(
  use: (blobs: Blobs["Service"], folder: string) => Effect.Effect<A, E, FileSystem.FileSystem>
) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const folder = join(yield* fs.makeTempDirectoryScoped(), "blobs")
    return yield* Effect.flatMap(Blobs, (blobs) => use(blobs, folder)).pipe(
      Effect.provide(FolderBlobs.layer(folder).pipe(Layer.provide([NodeServices.layer, NodeCrypto.layer])))
    )
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

describe("blobs in a folder", () => {
  it.live("are stored, found, listed by their first digits, read and removed", () =>
    inFolder((blobs) =>
      Effect.gen(function* () {
        const names = yield* Effect.forEach(["one", "two", "two"], (text) => blobs.put(bytesOf(text)))
        const [one = "", two = ""] = names
        assert.deepStrictEqual(names, [hash("sha256", "one"), two, two])
        assert.deepStrictEqual(yield* blobs.get(two), bytesOf("two"))
        assert.deepStrictEqual(yield* blobs.list(one.slice(0, 2)), [one])
        yield* blobs.remove(one)
        assert.deepStrictEqual([yield* blobs.has(one), yield* blobs.has(two)], [false, true])
        assert.strictEqual((yield* Effect.flip(blobs.get(one)))._tag, "BlobMissing")
      })
    )
  )

  it.live("are stored by many at once, each whole and once", () =>
    inFolder((blobs, folder) =>
      Effect.gen(function* () {
        const all = Array.from({ length: 40 }, (_, index) => bytesOf(`${index % 10} `.repeat(20_000)))
        const names = yield* Effect.forEach(all, (bytes) => blobs.put(bytes), { concurrency: "unbounded" })
        assert.strictEqual(new Set(names).size, 10)
        for (const [index, name] of names.entries())
          assert.deepStrictEqual(yield* blobs.get(name), all[index])
        const fs = yield* FileSystem.FileSystem
        const files = (yield* fs.readDirectory(folder, { recursive: true })).filter((file) => file.length > 2)
        assert.lengthOf(files, 10)
      })
    )
  )

  it.live("are an error of their own if they are damaged, and whole again once they are stored again", () =>
    inFolder((blobs, folder) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const one = yield* blobs.put(bytesOf("one"))
        const two = yield* blobs.put(bytesOf("two"))
        const file = join(folder, one.slice(0, 2), one)
        const large = new Uint8Array(2 * 1024 * 1024)
        const damages = [
          fs.writeFileString(file, "other bytes"),
          fs.writeFileString(file, ""),
          fs.writeFile(file, large),
          Effect.andThen(fs.makeDirectory(file), fs.writeFileString(join(file, "inside"), "one")),
          fs.symlink(file, file)
        ]
        for (const damage of damages) {
          yield* Effect.andThen(fs.remove(file, { recursive: true }), damage)
          assert.strictEqual((yield* Effect.flip(blobs.get(one)))._tag, "BlobDamaged")
          assert.deepStrictEqual(yield* blobs.get(two), bytesOf("two"))
          assert.strictEqual(yield* blobs.put(bytesOf("one")), one)
          assert.deepStrictEqual(yield* blobs.get(one), bytesOf("one"))
        }
        yield* Effect.andThen(fs.remove(file), fs.makeDirectory(file))
        yield* blobs.remove(one)
        assert.strictEqual((yield* Effect.flip(blobs.get(one)))._tag, "BlobMissing")
      })
    )
  )

  it.live("fail where nothing can be stored", () =>
    inFolder((blobs, folder) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const blob = hash("sha256", "one")
        yield* fs.makeDirectory(folder)
        yield* fs.writeFileString(join(folder, blob.slice(0, 2)), "a file where a folder belongs")
        assert.strictEqual((yield* Effect.flip(blobs.put(bytesOf("one"))))._tag, "BlobStoreFailure")
        assert.isFalse(yield* blobs.has(blob))
      })
    )
  )
})
