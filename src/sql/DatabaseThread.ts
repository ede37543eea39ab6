import { PGlite } from "@electric-sql/pglite"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { parentPort, workerData } from "node:worker_threads"
import { defined } from "../domain/Defined.ts"
import { type FromDatabase, isToDatabase } from "./DatabaseMessages.ts"

/**
 * The program of the thread of the embedded database: opens the folder of its `workerData`, or a database in memory, and answers
 * the messages of PostgreSQL's wire protocol in their order.
 */

/**
 * PGlite's own settings, with a smaller cache of pages than PostgreSQL's 128 MB, all of which PGlite fills at its start: the
 * system caches the files as well.
 */
const startParams = [...PGlite.defaultStartParams, "-c", "shared_buffers=32MB"]

const port = parentPort
if (port === null) throw new Error("This program is the program of a thread.")
const tell = (message: FromDatabase) =>
  port.postMessage(message, message.tell === "answer" ? [message.bytes.buffer] : [])

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const serve = (database: PGlite) => {
  let turn = Promise.resolve()
  const answer = async (bytes: Uint8Array): Promise<void> => {
    try {
      // The database keeps what it returns.
      tell({ tell: "answer", bytes: new Uint8Array(await database.execProtocolRaw(bytes)) })
    } catch (cause) {
      tell({ tell: "failure", reason: reasonOf(cause) })
    }
  }
  const close = async (): Promise<void> => {
    await database.close()
    port.close()
  }
  port.on("message", (message: unknown) => {
    if (!isToDatabase(message)) return
    turn = turn.then(() => (message.ask === "close" ? close() : answer(message.bytes)))
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
