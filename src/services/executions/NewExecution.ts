import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Caller } from "../../domain/ApiKey.ts"
import type { DocumentRef } from "../../domain/Document.ts"
import { ConcurrentLimit, InsufficientCredits } from "../../domain/Errors.ts"
import type { Metadata } from "../../domain/Execution.ts"
import { limitsFor } from "../../domain/Organization.ts"
import { logged } from "../../engine/event-log/Logged.ts"
import { json } from "../../sql/Json.ts"

/** An execution to be made. */
export interface NewExecution {
  readonly executionId: string
  readonly caller: Caller
  readonly flowId: string
  readonly version: string
  readonly stepCount: number
  readonly document: DocumentRef
  readonly variables: { readonly [name: string]: unknown }
  readonly metadata: Metadata | undefined
  readonly webhookUrl: string | undefined
  /** Sealed. */
  readonly webhookSecret: string | undefined
  readonly requestId: string | undefined
  /** The execution that this one goes on from, and the steps whose results it takes over. */
  readonly replay?: { readonly of: string; readonly reusedSteps: ReadonlyArray<string> }
}

/**
 * Locks the organization's row, so that its runs are judged one after the other, and gives the credits that it has
 * available.
 */
export const lockOrganization = Effect.fnUntraced(function* (organizationId: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ available: number }>`
    select available::float8 from organizations where id = ${organizationId} for update`
  return row?.available ?? 0
})

/** Refuses an execution that costs more than is available. */
export const checkCredits = (
  required: number,
  available: number
): Effect.Effect<void, InsufficientCredits> =>
  required > available
    ? new InsufficientCredits({
        message: `Insufficient credits: ${required} required, ${available} available`,
        details: { required, available }
      })
    : Effect.void

/** Refuses an execution beyond those that may be pending or running at once. */
export const checkConcurrency = Effect.fnUntraced(function* (caller: Caller) {
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

/** Makes a pending execution, with `reserved` credits to be set aside by the caller, who is in a transaction. */
export const insertExecution = Effect.fnUntraced(function* (made: NewExecution, reserved: number, at: Date) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    with changed as (
      insert into executions
        (id, organization_id, environment, flow_id, version, status, created_at, document, variables, metadata,
         page_count, step_count, reserved, webhook_url, webhook_secret, request_id, event_seq, replay_of, reused_steps)
      values
        (${made.executionId}, ${made.caller.organizationId}, ${made.caller.environment}, ${made.flowId},
         ${made.version}, 'pending', ${at}, ${json(sql, made.document)}, ${json(sql, made.variables)},
         ${json(sql, made.metadata)}, ${made.document.pageCount}, ${made.stepCount}, ${reserved}::numeric,
         ${made.webhookUrl ?? null}, ${made.webhookSecret ?? null}, ${made.requestId ?? null}, 1,
         ${made.replay?.of ?? null}, ${json(sql, made.replay?.reusedSteps)})
      returning id, event_seq
    )
    ${logged(sql, "execution.pending", at)}`
})
