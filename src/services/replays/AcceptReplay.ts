import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ReplayRequest } from "../../domain/Replay.ts"
import { BlobUses } from "../../engine/journal/BlobUses.ts"
import type { RunnableFlow } from "../../engine/program/FlowCatalog.ts"
import type { StepRecord } from "../../engine/journal/StepRecord.ts"
import * as Idempotency from "../executions/Idempotency.ts"
import { acceptAlone, type Accepted, createExecution, type NewExecution } from "../executions/NewExecution.ts"
import * as Ledger from "../../sql/Ledger.ts"
import { documentGone } from "./CheckReplay.ts"
import { takenOver } from "./Reusable.ts"
import { takeOver } from "./TakeOver.ts"

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
