import { PGlite } from "@electric-sql/pglite"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import { Duplex } from "node:stream"
import * as FolderLock from "./FolderLock.ts"

/** The embedded database could not be opened. */
export class EmbeddedDatabaseFailure extends Schema.TaggedError<EmbeddedDatabaseFailure>()(
  "EmbeddedDatabaseFailure",
  { message: Schema.String, cause: Schema.Defect() }
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

const open = (folder: string | undefined) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: () => PGlite.create(folder === undefined ? {} : { dataDir: folder }),
      catch: (cause) =>
        new EmbeddedDatabaseFailure({
          message: `The embedded database in ${folder ?? "memory"} could not be opened`,
          cause
        })
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
