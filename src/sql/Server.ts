import { PgClient } from "@effect/sql-pg"
import type { Redacted } from "effect"

/** A PostgreSQL server; several processes may share it. */
export const layer = (url: Redacted.Redacted) =>
  PgClient.layer({
    url,
    maxConnections: 12,
    applicationName: "docflow",
    maxMessageSize: 128 * 1024 * 1024
  })
