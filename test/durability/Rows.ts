import { PgClient } from "@effect/sql-pg"
import { Deferred, Effect, Fiber, Redacted } from "effect"
import { SqlClient } from "effect/sql"

const connection = (url: string) => PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })

const rows = (statement: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<object>(statement))

/** The rows of a statement, over a connection of its own. */
export const rowsOf = (url: string, statement: string): Promise<ReadonlyArray<object>> =>
  Effect.runPromise(Effect.provide(rows(statement), connection(url)))

/** Locks tables so that nobody else writes to them, or uses them at all; resolves with what unlocks them. */
export const lockTables = async (
  url: string,
  tables: string,
  mode: "row exclusive" | "exclusive" | "access exclusive"
): Promise<() => Promise<void>> => {
  const locked = Promise.withResolvers<void>()
  const release = Deferred.makeUnsafe<void>()
  const holding = Effect.runFork(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      sql.withTransaction(
        Effect.gen(function* () {
          yield* rows(`lock table ${tables} in ${mode} mode`)
          locked.resolve()
          yield* Deferred.await(release)
        })
      )
    ).pipe(Effect.provide(connection(url)))
  )
  holding.addObserver((exit) => {
    if (exit._tag === "Failure") locked.reject(new Error(`${tables} were not locked`, { cause: exit.cause }))
  })
  await locked.promise
  return async () => {
    Deferred.doneUnsafe(release, Effect.void)
    await Effect.runPromise(Fiber.join(holding))
  }
}
