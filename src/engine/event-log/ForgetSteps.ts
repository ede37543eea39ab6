import type { SqlClient } from "effect/sql"

/** Removes the entries about steps from the log of an execution; when it was accepted, started and ended remains. */
export const forgetSteps = (sql: SqlClient.SqlClient, executionId: string) =>
  sql`delete from execution_events where execution_id = ${executionId} and data is not null`
