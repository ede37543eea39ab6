import { PgClient } from "@effect/sql-pg"
import { Effect, FileSystem, Layer, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { statfs } from "node:fs/promises"
import * as FolderLock from "./FolderLock.ts"
import { type NotOpened, openEmbedded } from "./EmbeddedDatabase.ts"

/** The embedded database could not be opened. */
export class EmbeddedDatabaseFailure extends Schema.TaggedError<EmbeddedDatabaseFailure>()(
  "EmbeddedDatabaseFailure",
  { message: Schema.String }
) {}

/** A new database takes about 40 MB; with less space, that is the reason why it cannot be opened. */
const leastSpaceMB = 64

/** The free space on the disk of a folder, in megabytes; undefined if the system does not say. */
const freeSpaceMB = (folder: string) =>
  Effect.tryPromise(() => statfs(folder)).pipe(
    Effect.map(({ bavail, bsize }) => (bavail * bsize) / 1024 ** 2),
    Effect.orElseSucceed(() => undefined)
  )

const cannotOpen = Effect.fnUntraced(function* (folder: string | undefined, { reason }: NotOpened) {
  if (folder === undefined) {
    return yield* new EmbeddedDatabaseFailure({
      message: `The embedded database cannot be started (${reason})`
    })
  }
  const free = yield* freeSpaceMB(folder)
  return yield* new EmbeddedDatabaseFailure({
    message:
      free !== undefined && free < leastSpaceMB
        ? `The embedded database in ${folder} cannot be opened: only ${Math.floor(free)} MB of its disk are free. ` +
          `Free at least ${leastSpaceMB} MB, or set DOCFLOW_DATA_DIR to a folder on another disk`
        : // What PGlite says of it tells nobody anything, such as "Aborted()".
          `The embedded database in ${folder} cannot be opened: it is damaged or was made by another version of ` +
          `PostgreSQL. Restore the folder from a backup, or set DOCFLOW_DATA_DIR to another folder`
  })
})

const open = (folder: string | undefined) =>
  Effect.catchTag(openEmbedded(folder), "NotOpened", (error) => cannotOpen(folder, error))

/**
 * Opens the database in a folder that this process has locked. A database is made in an empty folder only: in any other without a
 * database, something else is stored, or a part of a database has been lost. A file next to the folder marks a database that is being
 * made: nothing has been stored in it, so what an interrupted start left is removed.
 */
const openFolder = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const mark = `${folder}.incomplete`
  const names = yield* Effect.mapError(fs.readDirectory(folder), FolderLock.notWritable(folder))
  const isIncomplete = yield* Effect.orElseSucceed(fs.exists(mark), () => false)
  if (names.includes("PG_VERSION") && !isIncomplete) return yield* open(folder)
  if (names.length > 0 && !isIncomplete) {
    return yield* new EmbeddedDatabaseFailure({
      message:
        `${folder} is not empty, but is no database: it has no file PG_VERSION. Nothing was changed. Restore the folder from a ` +
        `backup, empty it, or set DOCFLOW_DATA_DIR to another folder`
    })
  }
  yield* Effect.mapError(
    Effect.andThen(
      fs.writeFileString(mark, ""),
      Effect.forEach(names, (name) => fs.remove(`${folder}/${name}`, { recursive: true }), { discard: true })
    ),
    FolderLock.notWritable(folder)
  )
  const made = yield* open(folder)
  yield* Effect.mapError(fs.remove(mark), FolderLock.notWritable(folder))
  return made
})

/**
 * PostgreSQL inside this process: in `folder`, which one process at a time may use, or in memory. What `prepare` asks may
 * take long.
 */
export const layer = <E = never>(
  folder: string | undefined,
  prepare: Layer.Layer<never, E, SqlClient.SqlClient> = Layer.empty
) =>
  Layer.unwrap(
    Effect.gen(function* () {
      if (folder !== undefined) yield* FolderLock.acquire(folder)
      const database = yield* folder === undefined ? open(folder) : openFolder(folder)
      const client = PgClient.layer({
        stream: database.connect,
        username: "postgres",
        database: "postgres",
        maxConnections: 1,
        multiplex: true,
        maxMessageSize: 128 * 1024 * 1024
      })
      return Layer.tap(Layer.provideMerge(prepare, client), () => Effect.sync(database.watch))
    })
  )
