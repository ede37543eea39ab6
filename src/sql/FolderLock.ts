import { Effect, FileSystem, Predicate, Schedule, Schema } from "effect"
import { innermost } from "../support/Innermost.ts"

/** Another process uses the folder. */
export class FolderInUse extends Schema.TaggedError<FolderInUse>()("FolderInUse", {
  message: Schema.String
}) {}

/** The folder cannot be written to. */
export class FolderNotWritable extends Schema.TaggedError<FolderNotWritable>()("FolderNotWritable", {
  message: Schema.String
}) {}

/** SQLITE_BUSY: another connection holds the lock. */
const busy = 5

const isBusy = (cause: unknown): boolean => Predicate.hasProperty(cause, "errcode") && cause.errcode === busy

/** The folder cannot be written to; `cause` says why. */
export const notWritable = (folder: string) => (cause: unknown) =>
  new FolderNotWritable({
    message:
      `${folder} cannot be written to (${Predicate.isError(cause) ? innermost(cause).message : String(cause)}). ` +
      `Make it writable for this user, or set DOCFLOW_DATA_DIR to another folder`
  })

const inUse = (folder: string) =>
  new FolderInUse({
    message: `${folder} is in use by another docflow process. Stop it, or set DOCFLOW_DATA_DIR to another folder`
  })

const lock = (folder: string) =>
  Effect.tryPromise({
    try: async () => {
      // Loaded here, so that programs that never lock a folder run on versions of Node.js without it.
      const { DatabaseSync } = await import("node:sqlite")
      const connection = new DatabaseSync(`${folder}.lock.sqlite`)
      try {
        connection.exec("begin exclusive")
        return connection
      } catch (cause) {
        connection.close()
        throw cause
      }
    },
    catch: (cause) => (isBusy(cause) ? inUse(folder) : notWritable(folder)(cause))
  })

/** Retries, because a killed process holds its lock until the kernel has freed its memory. */
const whileItEnds = { schedule: Schedule.spaced("50 millis"), times: 20 }

/**
 * Takes a folder for this process until the scope closes: an exclusive transaction of SQLite on `<folder>.lock.sqlite`,
 * which is a lock of the kernel on that file. All containers of the machine see it, whatever their process ids, and it
 * ends with its holder in any case. The file remains: removing it would let two processes lock two different files.
 */
export const acquire = (folder: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    yield* Effect.mapError(fs.makeDirectory(folder, { recursive: true }), notWritable(folder))
    // An existing folder may be on a read-only disk, which SQLite would lock anyway.
    yield* Effect.mapError(fs.access(folder, { writable: true }), notWritable(folder))
    yield* Effect.acquireRelease(
      Effect.retry(lock(folder), { ...whileItEnds, while: (error) => error._tag === "FolderInUse" }),
      (connection) => Effect.sync(() => connection.close())
    )
  })
