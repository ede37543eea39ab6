import { PGlite } from "@electric-sql/pglite"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { parentPort, workerData } from "node:worker_threads"
import { defined } from "../support/Defined.ts"
import { type FromDatabase, isToDatabase } from "./DatabaseMessages.ts"

/**
 * The program of the thread of the embedded database: opens the folder of its `workerData`, or a database in memory, and answers
 * the messages of PostgreSQL's wire protocol in their order.
 */

/**
 * PGlite's own settings, with a smaller cache of pages than PostgreSQL's 128 MB, all of which PGlite fills at its start: the
 * system caches the files as well. Of the log that has been worked off, little is kept for further use.
 */
const startParams = [
  ...PGlite.defaultStartParams,
  ...["shared_buffers=32MB", "min_wal_size=32MB", "max_wal_size=128MB"].flatMap((setting) => ["-c", setting])
]

/**
 * After so many bytes of messages, or milliseconds, docflow does what PostgreSQL's background processes do, which PGlite lacks: what
 * is in the log is written to the tables' files, and the log is cut; then tables with many dead or new rows are vacuumed and analyzed.
 */
const upkeepAfter = { bytes: 48 * 1024 * 1024, milliseconds: 5 * 60_000 }

/** As autovacuum chooses them. */
const wornTables = `select quote_ident(schemaname) || '.' || quote_ident(relname) as name from pg_stat_user_tables
  where n_dead_tup > 50 + n_live_tup / 5 or n_mod_since_analyze > 50 + n_live_tup / 10`

/** Whether a reply ends with "ready for query", outside of a transaction. */
const endsIdle = (reply: Uint8Array): boolean => reply.at(-6) === 0x5a && reply.at(-1) === 0x49

const port = parentPort
if (port === null) throw new Error("This program is the program of a thread.")
const tell = (message: FromDatabase) =>
  port.postMessage(message, message.tell === "answer" ? [message.bytes.buffer] : [])

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const serve = (database: PGlite) => {
  let turn = Promise.resolve()
  let bytesSince = 0
  let upkeepAt = performance.now()
  let worn: Array<string> = []
  /** One table at a time, so that requests need not wait for all of them. */
  const upkeep = async (): Promise<void> => {
    const table = worn.pop()
    if (table !== undefined) return void (await database.exec(`vacuum (analyze) ${table}`))
    const waited = performance.now() - upkeepAt
    if (bytesSince < upkeepAfter.bytes && waited < upkeepAfter.milliseconds) return
    bytesSince = 0
    upkeepAt = performance.now()
    await database.exec("checkpoint")
    worn = (await database.query<{ name: string }>(wornTables)).rows.map(({ name }) => name)
  }
  const answer = async (bytes: Uint8Array): Promise<void> => {
    try {
      // The database keeps what it returns.
      const reply = new Uint8Array(await database.execProtocolRaw(bytes))
      const isIdle = endsIdle(reply)
      tell({ tell: "answer", bytes: reply })
      bytesSince += bytes.length
      // What fails, because the disk is full for example, is done the next time.
      if (isIdle) await upkeep().catch(() => undefined)
    } catch (cause) {
      tell({ tell: "failure", reason: reasonOf(cause) })
    }
  }
  const reset = async (): Promise<void> => {
    // Outside of a transaction, only the first warns.
    await database.exec("rollback; discard all").catch(() => undefined)
  }
  const close = async (): Promise<void> => {
    await database.close()
    port.close()
  }
  port.on("message", (message: unknown) => {
    if (!isToDatabase(message)) return
    turn = turn.then(() => {
      if (message.ask === "answer") return answer(message.bytes)
      return message.ask === "close" ? close() : reset()
    })
  })
}

try {
  const folder: unknown = workerData
  const dataDir = typeof folder === "string" ? folder : undefined
  const isNew = dataDir === undefined || !existsSync(join(dataDir, "PG_VERSION"))
  serve(await PGlite.create(defined({ dataDir, startParams })))
  // Making a database leaves 300 MiB outside V8's heap, which V8 would keep until the thread has nothing to do for some seconds.
  if (isNew) globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" })
  tell({ tell: "opened" })
} catch (cause) {
  tell({ tell: "failure", reason: reasonOf(cause) })
  port.close()
}
