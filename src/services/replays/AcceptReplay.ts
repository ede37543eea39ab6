import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ReplayRequest } from "../../domain/Replay.ts"
import { BlobUses } from "../../engine/journal/BlobUses.ts"
import type { RunnableFlow } from "../../engine/program/FlowCatalog.ts"
import type { StepRecord } from "../../engine/journal/StepRecord.ts"
import * as Idempotency from "../admission/Idempotency.ts"
import { acceptAlone, type Accepted, createExecution, type NewExecution } from "../admission/Acceptance.ts"
import * as Ledger from "../../sql/Ledger.ts"
import { documentGone } from "./CheckReplay.ts"
import { takenOver, type TakenOver } from "./Reusable.ts"
import { json } from "../../sql/Json.ts"

interface Handover extends TakenOver {
  readonly from: string
  readonly to: string
  readonly at: Date
}

/**
 * Copies journal records of steps from one execution to another, and logs them there. The caller is in the transaction
 * that creates the second, and has locked the first.
 */
const takeOver = Effect.fnUntraced(function* ({ at, from, paths, steps, to }: Handover) {
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

/** A replay after all checks that need no transaction. */
export interface CheckedReplay extends Omit<NewExecution, "replay" | "cost"> {
  readonly request: ReplayRequest
  readonly originalId: string
  readonly flow: RunnableFlow
  readonly reusable: ReadonlyArray<string>
  /** The cost of the whole flow. */
  readonly fullCost: number
}

/**
 * Accepts a replay in one transaction, as a run is accepted. Reused results are determined here, while the original is
 * locked, so that nothing of it is erased meanwhile. The cost is the share of the steps that run again.
 */
export const acceptReplay = Effect.fn("Replays.accept")(function* (replay: CheckedReplay) {
  const sql = yield* SqlClient.SqlClient
  const { caller, executionId, fingerprint, flow, originalId, request } = replay
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`select 1 from organizations where id = ${caller.organizationId} for update`
      const earlier = yield* Idempotency.find(caller, request, fingerprint)
      if (earlier !== undefined) return { _tag: "Replayed", executionId: earlier } satisfies Accepted
      const source = yield* lockOriginal(originalId)
      if (!source.blobs.has(replay.document.blob)) return yield* documentGone
      const taken = takenOver(flow, replay.reusable, source.journal, source.failedAt)
      const reusedSteps = taken.steps
      const share = (replay.stepCount - reusedSteps.length) / replay.stepCount
      const cost = Ledger.roundCredits(replay.fullCost * share)
      const accepted = yield* createExecution(
        { ...replay, cost, replay: { of: originalId, reusedSteps } },
        "execution.replayed",
        acceptAlone
      )
      if (accepted._tag === "Replayed") return accepted
      yield* takeOver({ from: originalId, to: executionId, ...taken, at: accepted.createdAt })
      yield* sql`
        insert into model_answers (execution_id, request, value, input_tokens, output_tokens, model)
        select ${executionId}, request, value, 0, 0, model from model_answers where execution_id = ${originalId}`
      return accepted
    })
  )
})

interface JournalRow {
  readonly path: string
  readonly status: StepRecord["status"]
  readonly output_blob: string | null
}

/** Locks what the original still has until the transaction ends. */
const lockOriginal = Effect.fnUntraced(function* (executionId: string) {
  const sql = yield* SqlClient.SqlClient
  const uses = yield* BlobUses
  const [row] = yield* sql<{ failed_at: string | null }>`
    select error ->> 'step' as failed_at from executions where id = ${executionId} for share`
  const blobs = yield* uses.hold(executionId)
  const rows = yield* sql<JournalRow>`
    select path, status, output_blob from step_results where execution_id = ${executionId} for share`
  const journal = rows.map(({ output_blob, path, status }) => ({
    path,
    status,
    kept: output_blob === null || blobs.has(output_blob)
  }))
  return { blobs, journal, failedAt: row?.failed_at ?? undefined }
})
