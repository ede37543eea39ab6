import { PgClient } from "@effect/sql-pg"
import type { Redacted } from "effect"

/** A PostgreSQL server; several processes may share it. Up to `maxConnections` connections are open at once. */
export const layer = (url: Redacted.Redacted, maxConnections = 12) =>
  PgClient.layer({
    url,
    maxConnections,
    applicationName: "docflow",
    maxMessageSize: 128 * 1024 * 1024
  })
