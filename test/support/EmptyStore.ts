import { Effect, Layer } from "effect"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { createHash } from "node:crypto"
import { cp, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import * as Database from "../../src/sql/Database.ts"

/** Everything that decides what an empty database looks like. */
const ingredients = async (): Promise<ReadonlyArray<string>> => {
  const files = (await readdir("src/sql", { recursive: true })).filter((name) => /\.(?:ts|sql)$/.test(name))
  return ["node_modules/@electric-sql/pglite/package.json", ...files.map((name) => join("src/sql", name))]
}

const template = async (): Promise<string> => {
  const hash = createHash("sha256")
  for (const file of (await ingredients()).toSorted()) hash.update(file).update(await readFile(file))
  return join(tmpdir(), `docflow-empty-store-${userInfo().uid}-${hash.digest("hex").slice(0, 16)}`)
}

const exists = (folder: string): Promise<boolean> =>
  stat(folder).then(
    () => true,
    () => false
  )

/**
 * Puts an empty, migrated embedded database into `folder`. Making one takes seconds, so it is made once for a state of the
 * schema, kept in the system's temporary folder, and copied from there.
 */
export const placeEmptyStore = async (folder: string): Promise<void> => {
  const source = await template()
  if (!(await exists(source))) {
    const draft = await mkdtemp(`${source}-`)
    const database = Database.layerEmbedded(join(draft, "database")).pipe(Layer.provide(NodeServices.layer))
    await Effect.runPromise(Effect.scoped(Layer.build(database)))
    // Test files that start together may each make one: the first to be done is kept.
    await rename(join(draft, "database"), source).catch(() => undefined)
    await rm(draft, { recursive: true, force: true })
  }
  await cp(source, folder, { recursive: true })
}

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "docflow-store-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

/** An empty, migrated embedded database in a folder of its own: made in a tenth of the time that one in memory needs. */
export const layerEmptyStore = Layer.unwrap(
  Effect.gen(function* () {
    const folder = join(yield* temporaryFolder, "database")
    yield* Effect.promise(() => placeEmptyStore(folder))
    return Database.layerEmbedded(folder)
  })
)
