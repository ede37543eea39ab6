import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { anyOf } from "../../sql/AnyOf.ts"
import { addUsage } from "./AddUsage.ts"

/**
 * Adds up what executions used, unless that was done, and removes their outputs, what steps made, what models answered
 * them, and the entries about them from their logs; when each was accepted, started and ended remains. The caller has
 * locked them.
 */
export const forgetSteps = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  executionIds: ReadonlyArray<string>
) {
  const these = anyOf(sql, executionIds)
  yield* addUsage(sql, executionIds)
  yield* sql`
    update executions set output = null, output_expired_at = now(), review_open = 0, is_added_up = true
    where id = ${these} and output_expired_at is null`
  for (const table of ["step_results", "model_answers", "execution_events"])
    yield* sql`delete from ${sql(table)} where execution_id = ${these}`
})
