import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { BlobUses } from "../../engine/journal/BlobUses.ts"
import { json } from "../../sql/Json.ts"
import type { TakenOver } from "./Reusable.ts"

interface Handover extends TakenOver {
  readonly from: string
  readonly to: string
  readonly at: Date
}

/**
 * Copies journal records of steps from one execution to another, and logs them there. The caller is in the transaction
 * that creates the second, and has locked the first.
 */
export const takeOver = Effect.fnUntraced(function* ({ at, from, paths, steps, to }: Handover) {
  if (paths.length === 0) return
  const sql = yield* SqlClient.SqlClient
  const uses = yield* BlobUses
  const outputs = yield* sql<{ blob: string }>`
    insert into step_results
      (execution_id, path, kind, status, started_at, duration_ms, attempts, output, output_blob, error, reused_from)
    select ${to}, path, kind, status, started_at, duration_ms, attempts, output, output_blob, error, ${from}
    from step_results where execution_id = ${from} and path in (select json_array_elements_text(${json(sql, paths)}))
    returning output_blob as blob`
  for (const { blob } of outputs) if (blob !== null) yield* uses.share(blob, to, "result")
  if (steps.length === 0) return
  yield* sql`
    with reused as (
      select step, place::int as place from json_array_elements_text(${json(sql, steps)}) with ordinality as s (step, place)
    ), changed as (
      update executions
      set event_seq = event_seq + ${steps.length}::int, progress_step = ${steps.at(-1)},
          progress_percentage = 100.0 * ${steps.length}::int / step_count
      where id = ${to} returning id, event_seq - ${steps.length}::int as seq, step_count
    )
    insert into execution_events (execution_id, seq, at, kind, data)
    select id, seq + place, ${at}::timestamptz, 'step.reused',
      json_build_object('step', step, 'reusedFrom', ${from}::text, 'percentage', round(100.0 * place / step_count, 1))
    from changed, reused`
})
