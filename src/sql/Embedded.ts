import { PGlite } from "@electric-sql/pglite"
import { PgClient } from "@effect/sql-pg"
import { type Cause, Effect, Layer, Schema } from "effect"
import { statfs } from "node:fs/promises"
import { Duplex } from "node:stream"
import * as FolderLock from "./FolderLock.ts"
import { defined } from "../domain/Defined.ts"

/** The embedded database could not be opened. */
export class EmbeddedDatabaseFailure extends Schema.TaggedError<EmbeddedDatabaseFailure>()(
  "EmbeddedDatabaseFailure",
  { message: Schema.String }
) {}

/**
 * A connection to PGlite with PostgreSQL's wire protocol: each written chunk is passed to the database, and its
 * response is pushed back. A stream passes one chunk at a time, so responses are in order.
 */
const connect = (database: PGlite) => (): Duplex => {
  const answer = async (chunk: Uint8Array): Promise<Error | null> => {
    try {
      duplex.push(Buffer.from(await database.execProtocolRaw(new Uint8Array(chunk))))
      return null
    } catch (cause) {
      return cause instanceof Error ? cause : new Error(String(cause))
    }
  }
  const duplex: Duplex = new Duplex({
    read: () => undefined,
    write: (chunk: Uint8Array, _encoding, done) => void answer(chunk).then(done),
    final: (done) => {
      duplex.push(null)
      done()
    }
  })
  return duplex
}

/** A new database takes about 40 MB; with less space, that is the reason why it cannot be opened. */
const leastSpaceMB = 64

/** The free space on the disk of a folder, in megabytes; undefined if the system does not say. */
const freeSpaceMB = (folder: string) =>
  Effect.tryPromise(() => statfs(folder)).pipe(
    Effect.map(({ bavail, bsize }) => (bavail * bsize) / 1024 ** 2),
    Effect.orElseSucceed(() => undefined)
  )

const cannotOpen = Effect.fnUntraced(function* (folder: string | undefined, { cause }: Cause.UnknownError) {
  if (folder === undefined) {
    const reason = cause instanceof Error ? cause.message : String(cause)
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

/**
 * PGlite's own settings, with a smaller cache of pages than PostgreSQL's 128 MB, all of which PGlite fills at its start: the
 * system caches the files as well.
 */
const startParams = [...PGlite.defaultStartParams, "-c", "shared_buffers=32MB"]

const open = (folder: string | undefined) =>
  Effect.acquireRelease(
    Effect.tryPromise(() => PGlite.create(defined({ dataDir: folder, startParams }))).pipe(
      Effect.catchTag("UnknownError", (error) => cannotOpen(folder, error))
    ),
    (database) => Effect.promise(() => database.close())
  )

/**
 * PostgreSQL inside this process: in `folder`, which one process at a time may use, or in memory.
 */
export const layer = (folder: string | undefined) =>
  Layer.unwrap(
    Effect.gen(function* () {
      if (folder !== undefined) yield* FolderLock.acquire(folder)
      const database = yield* open(folder)
      return PgClient.layer({
        stream: connect(database),
        username: "postgres",
        database: "postgres",
        maxConnections: 1,
        multiplex: true,
        maxMessageSize: 128 * 1024 * 1024
      })
    })
  )
