import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, type Redacted, Schema } from "effect"
import type { SqlError } from "effect/sql"
import { innermost } from "../support/Innermost.ts"

/** The server cannot be reached, or refuses the connection. */
export class ServerUnavailable extends Schema.TaggedError<ServerUnavailable>()("ServerUnavailable", {
  message: Schema.String
}) {}

/** A PostgreSQL server; several processes may share it. Up to `maxConnections` connections are open at once. */
export const layer = (url: Redacted.Redacted, maxConnections = 12) =>
  PgClient.layer({
    url,
    maxConnections,
    applicationName: "docflow",
    maxMessageSize: 128 * 1024 * 1024
  })

const explain = (error: SqlError.SqlError): SqlError.SqlError | ServerUnavailable => {
  const { reason } = error
  const why = innermost(error).message
  if (reason.operation === "connect" || reason._tag === "ConnectionError")
    return new ServerUnavailable({
      message:
        `Cannot connect to the database of DATABASE_URL (${why}). Check that PostgreSQL is running and accepts ` +
        `connections, and that host, user, password and database name are right`
    })
  if (reason._tag === "AuthorizationError")
    return new ServerUnavailable({
      message:
        `The user of DATABASE_URL lacks rights in its database (${why}). Make it the owner of the database and of ` +
        `docflow's tables`
    })
  return error
}

/** Adds to the failure of a layer what to do about the server. */
export const explained = (error: SqlError.SqlError) => Layer.effectContext(Effect.fail(explain(error)))
