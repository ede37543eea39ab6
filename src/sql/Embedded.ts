import { PGlite } from "@electric-sql/pglite"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import { Duplex } from "node:stream"
import * as FolderLock from "./FolderLock.ts"
import { defined } from "../domain/Defined.ts"

/** The embedded database could not be opened. */
export class EmbeddedDatabaseFailure extends Schema.TaggedError<EmbeddedDatabaseFailure>()(
  "EmbeddedDatabaseFailure",
  { message: Schema.String }
) {}

/**
 * A connection to PGlite that speaks PostgreSQL's wire protocol: each written chunk is handed to the database and what
 * it answers is pushed back. A stream hands over one chunk at a time, so they are answered in order.
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

const cannotOpen = (folder: string | undefined, cause: unknown) => {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new EmbeddedDatabaseFailure({
    message:
      folder === undefined
        ? `The embedded database cannot be started (${reason})`
        : `The embedded database in ${folder} cannot be opened (${reason}). It is damaged or was made by another ` +
          `version of PostgreSQL. Restore the folder from a backup, or set DOCFLOW_DATA_DIR to another folder`
  })
}

const open = (folder: string | undefined) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: () => PGlite.create(defined({ dataDir: folder })),
      catch: (cause) => cannotOpen(folder, cause)
    }),
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
