import { Effect, Layer } from "effect"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { cp, mkdtemp, rename, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Database from "../../src/sql/Database.ts"
import { emptyStoreFolder, exists } from "./EmptyStoreFolder.ts"

/** Makes the empty database that others are copied from. */
export const makeEmptyStore = async (): Promise<void> => {
  const source = await emptyStoreFolder()
  const draft = await mkdtemp(`${source}-`)
  const database = Database.layerEmbedded(join(draft, "database")).pipe(Layer.provide(NodeServices.layer))
  // The thread of a database does not keep a process running that has nothing else to do.
  const alive = setInterval(() => undefined, 60_000)
  await Effect.runPromise(Effect.scoped(Layer.build(database))).finally(() => clearInterval(alive))
  // Runs that start together may each make one: the first to be done is kept.
  await rename(join(draft, "database"), source).catch(() => undefined)
  await rm(draft, { recursive: true, force: true })
}

/**
 * Puts an empty, migrated embedded database into `folder`. Making one takes seconds, so it is made once for a state of the
 * schema, kept in the system's temporary folder, and copied from there.
 */
export const placeEmptyStore = async (folder: string): Promise<void> => {
  const source = await emptyStoreFolder()
  if (!(await exists(source))) await makeEmptyStore()
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
