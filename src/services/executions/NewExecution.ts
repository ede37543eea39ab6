import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Caller } from "../../domain/ApiKey.ts"
import type { AuditAction } from "../../domain/AuditEntry.ts"
import type { WebhookEvent } from "../../domain/Delivery.ts"
import type { DocumentRef } from "../../domain/Document.ts"
import { ConcurrentLimit, InsufficientCredits } from "../../domain/Errors.ts"
import type { Metadata } from "../../domain/Execution.ts"
import { limitsFor } from "../../domain/Organization.ts"
import { CurrentOrigin } from "../../domain/Origin.ts"
import { jsonText } from "../../sql/Json.ts"
import * as Idempotency from "./Idempotency.ts"

/** An execution to be created. */
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
  /** Undefined: the ends of the execution. */
  readonly webhookEvents: ReadonlyArray<WebhookEvent> | undefined
  readonly requestId: string | undefined
  readonly request: { readonly idempotencyKey?: string }
  readonly fingerprint: string
  /** Credits to reserve; 0 for test keys. */
  readonly cost: number
  /** The execution that this one continues, and the steps whose results it reuses. */
  readonly replay?: { readonly of: string; readonly reusedSteps: ReadonlyArray<string> }
}

/** The execution is new, or an earlier request with the same idempotency key made it. */
export type Accepted =
  | {
      readonly _tag: "New"
      readonly executionId: string
      readonly createdAt: Date
      /** The credits that it left. */
      readonly credits: number
      /** Whether its organization had any example when it was accepted. */
      readonly hasExamples: boolean
    }
  | { readonly _tag: "Replayed"; readonly executionId: string }

const Verdict = Schema.Struct({
  n: Schema.Int,
  verdict: Schema.Literals(["new", "replayed", "other_request", "insufficient_credits", "concurrent_limit"]),
  found_execution: Schema.NullOr(Schema.String),
  credits_available: Schema.Finite,
  has_examples: Schema.Boolean
})
const decodeVerdicts = Schema.decodeUnknownEffect(Schema.Array(Verdict))

const decodeAllowance = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ available: Schema.Finite, unfinished: Schema.Finite })])
)
const decodeUnfinished = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ unfinished: Schema.Finite })])
)

/** The number of executions that a caller's organization may have at once. */
export const concurrencyOf = ({ customLimits, environment, plan }: Caller): number =>
  limitsFor(plan, environment, customLimits).concurrentExecutions

/** The number of unfinished executions of a caller's organization, as far as it may have any, as a subquery. */
const unfinishedOf = (sql: SqlClient.SqlClient, caller: Caller) => sql`(
  select count(*)::int from (
    select 1 from executions e where e.organization_id = ${caller.organizationId}
      and e.environment = ${caller.environment} and e.status in ('pending', 'running') limit ${concurrencyOf(caller)}
  ) as counted
)`

/** Counts the unfinished executions of a caller's organization, up to its limit. */
export const countUnfinished = Effect.fnUntraced(function* (caller: Caller) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`select ${unfinishedOf(sql, caller)} as unfinished`
  const [{ unfinished }] = yield* Effect.orDie(decodeUnfinished(rows))
  return unfinished
})

/**
 * Refuses a run without enough credits or above the concurrency limit, before its document is stored. `createExecution`
 * checks again, because others may be accepted in between.
 */
export const checkAllowance = Effect.fnUntraced(function* ({ caller, cost }: NewExecution) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select o.available::float8 as available, ${unfinishedOf(sql, caller)} as unfinished
    from organizations o where o.id = ${caller.organizationId}`
  const [{ available, unfinished }] = yield* Effect.orDie(decodeAllowance(rows))
  if (cost > available) return yield* insufficientCredits(cost, available)
  const limit = concurrencyOf(caller)
  if (unfinished >= limit) return yield* tooManyAtOnce(limit)
})

/** An execution to be made, as the database function `accept_together` takes it. */
export interface Acceptance {
  readonly organization: string
  /** The arguments as members of a JSON object, without braces. */
  readonly members: string
}

/** The database's answer to an acceptance. */
export type Verdict = typeof Verdict.Type

/** The arguments of an acceptance. `bytes` are stored with it; if omitted, the caller has stored the document. */
const acceptanceOf = Effect.fnUntraced(function* (
  made: NewExecution,
  action: AuditAction,
  now: DateTime.Utc,
  bytes?: Uint8Array
) {
  const origin = yield* CurrentOrigin
  const { caller, document } = made
  const members = jsonText({
    execution: made.executionId,
    organization: caller.organizationId,
    environment: caller.environment,
    flow: made.flowId,
    version: made.version,
    at: DateTime.toDateUtc(now),
    document,
    variables: made.variables,
    metadata: made.metadata,
    pages: document.pageCount,
    steps: made.stepCount,
    cost: made.cost,
    concurrency: concurrencyOf(caller),
    hook: made.webhookUrl,
    secret: made.webhookSecret,
    events: made.webhookEvents,
    request: made.requestId,
    origin: made.replay?.of,
    reused: made.replay?.reusedSteps,
    idempotency: made.request.idempotencyKey,
    fingerprint: made.fingerprint,
    action,
    actor: origin.actor,
    address: origin.address,
    ...(bytes === undefined ? {} : { bytes: Buffer.from(bytes).toString("base64") })
  })
  return { organization: caller.organizationId, members: members.slice(1, -1) } satisfies Acceptance
})

/**
 * Creates pending executions in one statement: idempotency, credits, concurrency, reservation, audit entry, and the use
 * of the document's blob. Executions of one organization are accepted in sequence.
 */
export const acceptTogether = Effect.fnUntraced(function* (acceptances: ReadonlyArray<Acceptance>) {
  const sql = yield* SqlClient.SqlClient
  const all = `[${acceptances.map(({ members }, n) => `{"n":${n},${members}}`).join(",")}]`
  const organizations = acceptances.map(({ organization }) => organization).join(" ")
  const rows = yield* sql`
    select n, verdict, found_execution, credits_available, has_examples
    from accept_together(${all}::text::json, string_to_array(${organizations}::text, ' '))`
  const verdicts = yield* Effect.orDie(decodeVerdicts(rows))
  return verdicts.toSorted((a, b) => a.n - b.n)
})

/**
 * Creates a pending execution; in the caller's transaction, if there is one. `send` may batch it with others. `bytes`
 * are stored with it; if omitted, the caller has stored the document.
 */
export const createExecution = Effect.fnUntraced(function* <E, R>(
  made: NewExecution,
  action: AuditAction,
  send: (acceptance: Acceptance) => Effect.Effect<Verdict, E, R>,
  bytes?: Uint8Array
) {
  const now = yield* DateTime.now
  const { executionId } = made
  const answer = yield* send(yield* acceptanceOf(made, action, now, bytes))
  switch (answer.verdict) {
    case "new":
      return {
        _tag: "New",
        executionId,
        createdAt: DateTime.toDateUtc(now),
        credits: answer.credits_available - made.cost,
        hasExamples: answer.has_examples
      } satisfies Accepted
    case "replayed":
      return { _tag: "Replayed", executionId: answer.found_execution ?? executionId } satisfies Accepted
    case "other_request":
      return yield* Idempotency.otherRequest
    case "insufficient_credits":
      return yield* insufficientCredits(made.cost, answer.credits_available)
    case "concurrent_limit":
      return yield* tooManyAtOnce(concurrencyOf(made.caller))
  }
})

/** Sends an acceptance by itself. */
export const acceptAlone = (acceptance: Acceptance) =>
  Effect.flatMap(acceptTogether([acceptance]), ([verdict]) =>
    verdict === undefined ? Effect.die("the database answered nothing") : Effect.succeed(verdict)
  )

const insufficientCredits = (required: number, available: number) =>
  new InsufficientCredits({
    message: `Insufficient credits: ${required} required, ${available} available`,
    details: { required, available }
  })

const refusals = new Map<number, ConcurrentLimit>()

/** Refuses a run because of the limit of concurrent executions. One error for each limit: to make it takes longer than to decide. */
export const tooManyAtOnce = (limit: number): ConcurrentLimit => {
  const known = refusals.get(limit)
  if (known !== undefined) return known
  const refusal = new ConcurrentLimit({
    message: `Too many concurrent executions: at most ${limit} may be pending or running`,
    details: { limit }
  })
  refusals.set(limit, refusal)
  return refusal
}
