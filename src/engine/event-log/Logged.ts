import type { SqlClient } from "effect/sql"
import type { EventKind } from "../../domain/ExecutionEvent.ts"
import { json } from "../../sql/Json.ts"

/**
 * The insert that logs a change of an execution in the statement that makes it. The statement begins with `with changed as
 * (update executions set event_seq = event_seq + 1, … returning id, event_seq)`; entries about a step also need its
 * `progress_percentage`, which is in the same row and never falls.
 */
export const logged = (
  sql: SqlClient.SqlClient,
  kind: EventKind,
  at: Date,
  step?: { readonly step: string } & { readonly [name: string]: unknown }
) => {
  const data =
    step === undefined
      ? sql`null::json`
      : sql`(${json(sql, step)}::jsonb || jsonb_build_object('percentage', round(progress_percentage::numeric, 1)))::json`
  return sql`
    insert into execution_events (execution_id, seq, at, kind, data)
    select id, event_seq, ${at}::timestamptz, ${kind}::text, ${data} from changed`
}

/** Removes what the log of an execution says about its steps; when it was accepted, started and ended stays. */
export const forgetSteps = (sql: SqlClient.SqlClient, executionId: string) =>
  sql`delete from execution_events where execution_id = ${executionId} and data is not null`
