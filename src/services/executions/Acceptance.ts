import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { RunRequest } from "../../domain/RunRequest.ts"
import { Audit } from "../audit/Audit.ts"
import { BlobUses } from "../../engine/BlobUses.ts"
import * as Ledger from "../../sql/Ledger.ts"
import * as Idempotency from "./Idempotency.ts"
import {
  checkConcurrency,
  checkCredits,
  insertExecution,
  lockOrganization,
  type NewExecution
} from "./NewExecution.ts"

/** Everything about a run that has been checked without the database. */
export interface CheckedRun extends NewExecution {
  readonly request: RunRequest
  readonly fingerprint: string
  readonly bytes: Uint8Array
  /** Credits to reserve; 0 for test keys. */
  readonly cost: number
}

/** The run was accepted as a new execution, or is the same as an earlier one. */
export type Accepted =
  | { readonly _tag: "New"; readonly executionId: string; readonly createdAt: Date }
  | { readonly _tag: "Replayed"; readonly executionId: string }

/**
 * Accepts a run in one transaction: idempotency, credits, concurrency, reservation and the execution itself. The
 * organization's row is locked, so parallel runs of one organization are judged one after the other.
 */
export const accept = Effect.fn("Executions.accept")(function* (run: CheckedRun) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      const available = yield* lockOrganization(run.caller.organizationId)
      const earlier = yield* Idempotency.find(run.caller, run.request, run.fingerprint)
      if (earlier !== undefined) return { _tag: "Replayed", executionId: earlier } satisfies Accepted
      yield* checkCredits(run.cost, available)
      yield* checkConcurrency(run.caller)
      const at = yield* DateTime.nowAsDate
      yield* insertExecution(run, run.cost, at)
      yield* Idempotency.keep(run.caller, run.request, run.fingerprint, run.executionId, at)
      yield* Ledger.reserve({
        organizationId: run.caller.organizationId,
        executionId: run.executionId,
        amount: run.cost,
        at
      })
      const audit = yield* Audit
      yield* audit.record({
        action: "execution.run",
        subject: run.executionId,
        organizationId: run.caller.organizationId
      })
      const uses = yield* BlobUses
      yield* uses.keep(run.bytes, run.executionId, "document")
      return { _tag: "New", executionId: run.executionId, createdAt: at } satisfies Accepted
    })
  )
})
