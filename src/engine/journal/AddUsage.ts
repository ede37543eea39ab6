import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { anyOf } from "../../sql/AnyOf.ts"

/** Adds up what executions used, unless that was done. The caller has locked them, and then sets `is_added_up`. */
export const addUsage = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  executionIds: ReadonlyArray<string>
) {
  const these = anyOf(sql, executionIds)
  yield* sql`
    insert into usage_of_days as u
    select organization_id, day, environment, flow_id, model, sum(executions), sum(pages), sum(credits),
      sum(input_tokens), sum(output_tokens)
    from usage_of_executions where id = ${these} group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (organization_id, day, environment, flow_id, model) do update set
      executions = u.executions + excluded.executions, pages = u.pages + excluded.pages,
      credits = u.credits + excluded.credits, input_tokens = u.input_tokens + excluded.input_tokens,
      output_tokens = u.output_tokens + excluded.output_tokens`
})
