import { DateTime, Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Caller } from "../../domain/ApiKey.ts"
import type { AuditAction } from "../../domain/AuditEntry.ts"
import type { DocumentRef } from "../../domain/Document.ts"
import { ConcurrentLimit, InsufficientCredits } from "../../domain/Errors.ts"
import type { Metadata } from "../../domain/Execution.ts"
import { limitsFor } from "../../domain/Organization.ts"
import { CurrentOrigin } from "../../domain/Origin.ts"
import { json } from "../../sql/Json.ts"
import * as Idempotency from "./Idempotency.ts"

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
  readonly request: { readonly idempotencyKey?: string }
  readonly fingerprint: string
  /** Credits to reserve; 0 for test keys. */
  readonly cost: number
  /** The execution that this one goes on from, and the steps whose results it takes over. */
  readonly replay?: { readonly of: string; readonly reusedSteps: ReadonlyArray<string> }
}

/** The execution is new, or an earlier request with the same idempotency key made it. */
export type Accepted =
  | { readonly _tag: "New"; readonly executionId: string; readonly createdAt: Date }
  | { readonly _tag: "Replayed"; readonly executionId: string }

const decodeVerdict = Schema.decodeUnknownEffect(
  Schema.Tuple([
    Schema.Struct({
      verdict: Schema.Literals([
        "new",
        "replayed",
        "other_request",
        "insufficient_credits",
        "concurrent_limit"
      ]),
      found_execution: Schema.NullOr(Schema.String),
      credits_available: Schema.Finite
    })
  ])
)

const decodeAllowance = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ available: Schema.Finite, unfinished: Schema.Finite })])
)

const concurrencyOf = ({ customLimits, environment, plan }: Caller): number =>
  limitsFor(plan, environment, customLimits).concurrentExecutions

/**
 * Refuses a run that has too few credits or too many others next to it, before its document is stored. Whoever passes is
 * asked again by `createExecution`, since others may be accepted in between.
 */
export const checkAllowance = Effect.fnUntraced(function* ({ caller, cost }: NewExecution) {
  const sql = yield* SqlClient.SqlClient
  const limit = concurrencyOf(caller)
  const rows = yield* sql`
    select o.available::float8 as available, (
      select count(*)::int from (
        select 1 from executions e where e.organization_id = o.id and e.environment = ${caller.environment}
          and e.status in ('pending', 'running') limit ${limit}
      ) as counted
    ) as unfinished
    from organizations o where o.id = ${caller.organizationId}`
  const [{ available, unfinished }] = yield* Effect.orDie(decodeAllowance(rows))
  if (cost > available) return yield* insufficientCredits(cost, available)
  if (unfinished >= limit) return yield* tooManyAtOnce(limit)
})

/**
 * Creates a pending execution in one statement: idempotency, credits, concurrency, reservation, audit entry, and the use
 * of the document's blob. Executions of one organization are accepted one after the other.
 */
export const createExecution = Effect.fnUntraced(function* (made: NewExecution, action: AuditAction) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* DateTime.now
  const at = DateTime.toDateUtc(now)
  const since = DateTime.toDateUtc(DateTime.subtractDuration(now, Duration.hours(Idempotency.windowHours)))
  const origin = yield* CurrentOrigin
  const { caller, cost, document, executionId } = made
  const limit = concurrencyOf(caller)
  const rows = yield* sql`
    select verdict, found_execution, credits_available from accept_execution(
      execution => ${executionId}::text, organization => ${caller.organizationId}::text,
      key_environment => ${caller.environment}::text, flow => ${made.flowId}::text,
      flow_version => ${made.version}::text, accepted_at => ${at}::timestamptz,
      input_document => ${json(sql, document)}, input_variables => ${json(sql, made.variables)},
      custom_metadata => ${json(sql, made.metadata)}, pages => ${document.pageCount}::int,
      steps => ${made.stepCount}::int, cost => ${cost}::numeric, concurrency => ${limit}::int,
      hook_url => ${made.webhookUrl ?? null}::text, hook_secret => ${made.webhookSecret ?? null}::text,
      request => ${made.requestId ?? null}::text, origin_execution => ${made.replay?.of ?? null}::text,
      reused => ${json(sql, made.replay?.reusedSteps)}, idempotency => ${made.request.idempotencyKey ?? null}::text,
      request_fingerprint => ${made.fingerprint}::text, remembered_since => ${since}::timestamptz,
      audit_action => ${action}::text, audit_actor => ${origin.actor}::text,
      audit_address => ${origin.address ?? null}::text)`
  const [{ credits_available: available, found_execution, verdict }] = yield* Effect.orDie(
    decodeVerdict(rows)
  )
  switch (verdict) {
    case "new":
      return { _tag: "New", executionId, createdAt: at } satisfies Accepted
    case "replayed":
      return { _tag: "Replayed", executionId: found_execution ?? executionId } satisfies Accepted
    case "other_request":
      return yield* Idempotency.otherRequest
    case "insufficient_credits":
      return yield* insufficientCredits(cost, available)
    case "concurrent_limit":
      return yield* tooManyAtOnce(limit)
  }
})

const insufficientCredits = (required: number, available: number) =>
  new InsufficientCredits({
    message: `Insufficient credits: ${required} required, ${available} available`,
    details: { required, available }
  })

const tooManyAtOnce = (limit: number) =>
  new ConcurrentLimit({
    message: `Too many concurrent executions: at most ${limit} may be pending or running`,
    details: { limit }
  })
