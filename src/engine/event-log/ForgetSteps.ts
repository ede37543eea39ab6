import type { SqlClient } from "effect/sql"

/** Removes what the log of an execution says about its steps; when it was accepted, started and ended stays. */
export const forgetSteps = (sql: SqlClient.SqlClient, executionId: string) =>
  sql`delete from execution_events where execution_id = ${executionId} and data is not null`
