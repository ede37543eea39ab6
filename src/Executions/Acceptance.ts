import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Caller } from "../domain/ApiKey.ts"
import type { DocumentRef } from "../domain/Document.ts"
import { ConcurrentLimit, InsufficientCredits } from "../domain/Errors.ts"
import { limitsFor } from "../domain/Organization.ts"
import type { RunRequest } from "../domain/RunRequest.ts"
import { BlobUses } from "../engine/BlobUses.ts"
import { json } from "../sql/Json.ts"
import * as Ledger from "../sql/Ledger.ts"
import * as Idempotency from "./Idempotency.ts"

/** Everything about a run that has been checked without the database. */
export interface CheckedRun {
  readonly executionId: string
  readonly caller: Caller
  readonly request: RunRequest
  readonly fingerprint: string
  readonly flowId: string
  readonly version: string
  readonly stepCount: number
  readonly document: DocumentRef
  readonly bytes: Uint8Array
  readonly variables: { readonly [name: string]: unknown }
  /** Credits to reserve; 0 for test keys. */
  readonly cost: number
  readonly webhookSecret: string | undefined
  readonly requestId: string | undefined
}

/** The run was accepted as a new execution, or is the same as an earlier one. */
export type Accepted =
  | { readonly _tag: "New"; readonly executionId: string }
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
      yield* insert(run, at)
      yield* Idempotency.keep(run.caller, run.request, run.fingerprint, run.executionId, at)
      yield* Ledger.reserve({
        organizationId: run.caller.organizationId,
        executionId: run.executionId,
        amount: run.cost,
        at
      })
      const uses = yield* BlobUses
      yield* uses.keep(run.bytes, run.executionId, "document")
      return { _tag: "New", executionId: run.executionId } satisfies Accepted
    })
  )
})

const lockOrganization = Effect.fnUntraced(function* (organizationId: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ available: number }>`
    select available::float8 from organizations where id = ${organizationId} for update`
  return row?.available ?? 0
})

const checkCredits = (required: number, available: number) =>
  required > available
    ? Effect.fail(
        new InsufficientCredits({
          message: `Insufficient credits: ${required} required, ${available} available`,
          details: { required, available }
        })
      )
    : Effect.void

const checkConcurrency = Effect.fnUntraced(function* (caller: Caller) {
  const sql = yield* SqlClient.SqlClient
  const limit = limitsFor(caller.plan, caller.environment, caller.customLimits).concurrentExecutions
  const [row] = yield* sql<{ unfinished: number }>`
    select count(*)::int as unfinished from executions
    where organization_id = ${caller.organizationId} and environment = ${caller.environment}
      and status in ('pending', 'running')`
  if ((row?.unfinished ?? 0) >= limit) {
    return yield* new ConcurrentLimit({
      message: `Too many concurrent executions: at most ${limit} may be pending or running`,
      details: { limit }
    })
  }
})

const insert = Effect.fnUntraced(function* (run: CheckedRun, at: Date) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into executions
      (id, organization_id, environment, flow_id, version, status, created_at, document, variables, metadata,
       page_count, step_count, reserved, webhook_url, webhook_secret, request_id)
    values
      (${run.executionId}, ${run.caller.organizationId}, ${run.caller.environment}, ${run.flowId}, ${run.version},
       'pending', ${at}, ${json(sql, run.document)}, ${json(sql, run.variables)},
       ${json(sql, run.request.metadata)}, ${run.document.pageCount}, ${run.stepCount}, ${run.cost}::numeric,
       ${run.request.webhookUrl ?? null}, ${run.webhookSecret ?? null}, ${run.requestId ?? null})`
})
