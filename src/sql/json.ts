import type { SqlClient } from "effect/sql"

/** A value as a jsonb parameter; it goes over the wire as text so that no driver encodes it a second time. */
export const jsonb = (sql: SqlClient.SqlClient, value: unknown) =>
  value === undefined || value === null ? sql`null` : sql`${JSON.stringify(value)}::text::jsonb`
