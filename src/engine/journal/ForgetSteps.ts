import type { SqlClient } from "effect/sql"
import { anyOf } from "../../sql/AnyOf.ts"

/** Removes the entries about steps from the logs of executions; when each was accepted, started and ended remains. */
export const forgetSteps = (sql: SqlClient.SqlClient, executionIds: ReadonlyArray<string>) =>
  sql`delete from execution_events where execution_id = ${anyOf(sql, executionIds)}`
