import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { anyOf } from "../../sql/AnyOf.ts"

/**
 * Removes what steps made, what models answered them, and the entries about them from the logs of executions; when each
 * was accepted, started and ended remains.
 */
export const forgetSteps = (sql: SqlClient.SqlClient, executionIds: ReadonlyArray<string>) =>
  Effect.forEach(
    ["step_results", "model_answers", "execution_events"],
    (table) => sql`delete from ${sql(table)} where execution_id = ${anyOf(sql, executionIds)}`,
    { discard: true }
  )
