import { Effect } from "effect"
import { cp, rm } from "node:fs/promises"
import { openEmbedded } from "../../src/sql/EmbeddedDatabase.ts"

/**
 * A program that opens a copy of the database of its first argument as often as its second argument says, four at a time, asks each
 * something, and prints a line for each. A crash of a thread ends the program.
 */
const [source = "", count = "1"] = process.argv.slice(2)

/** A query in PostgreSQL's protocol: the message `Q`. */
const query = (text: string): Uint8Array => {
  const body = Buffer.from(`${text}\0`)
  const head = Buffer.alloc(5, "Q")
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const startIn = (folder: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* Effect.promise(() => cp(source, folder, { recursive: true }))
      const { connect } = yield* openEmbedded(folder)
      yield* Effect.callback<void, Error>((resume) => {
        const connection = connect()
        connection.on("data", () => resume(Effect.void)).on("error", (error) => resume(Effect.fail(error)))
        connection.write(query("select count(*) from pg_class, generate_series(1, 20)"))
      })
    })
  ).pipe(Effect.ensuring(Effect.promise(() => rm(folder, { recursive: true, force: true }))))

await Effect.runPromise(
  Effect.forEach(
    Array.from({ length: Number(count) }, (_, index) => `${source}-${process.pid}-${index}`),
    (folder) =>
      Effect.andThen(
        startIn(folder),
        Effect.sync(() => process.stdout.write("started\n"))
      ),
    { concurrency: 4, discard: true }
  )
)
