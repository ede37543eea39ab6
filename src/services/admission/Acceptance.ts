import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { Caller } from "../../domain/ApiKey.ts"
import type { AuditAction } from "../../domain/AuditEntry.ts"
import type { WebhookEvent } from "../../domain/Delivery.ts"
import type { DocumentRef } from "../../domain/Document.ts"
import { ConcurrentLimit, InsufficientCredits, type ValidationFailed } from "../../domain/Errors.ts"
import type { Metadata } from "../../domain/Execution.ts"
import { limitsFor } from "../../domain/Organization.ts"
import { CurrentOrigin } from "../../domain/Origin.ts"
import { BlobUses } from "../../engine/journal/BlobUses.ts"
import type { BlobStoreFailure } from "../../providers/blobs/Blobs.ts"
import { makeBatches } from "../../sql/Batches.ts"
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
/** The number of executions that a caller's organization may have at once. */
const concurrencyOf = ({ customLimits, environment, plan }: Caller): number =>
  limitsFor(plan, environment, customLimits).concurrentExecutions

/** What an organization may still spend, and how many unfinished executions it has, as far as it may have any. */
export interface Allowance {
  readonly available: number
  readonly unfinished: number
}

/** Looks up the allowance of a caller. */
const lookUp = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, caller: Caller) {
  const rows = yield* sql`
    select o.available::float8 as available, (
      select count(*)::int from (
        select 1 from executions e where e.organization_id = ${caller.organizationId}
          and e.environment = ${caller.environment} and e.status in ('pending', 'running') limit ${concurrencyOf(caller)}
      ) as counted
    ) as unfinished
    from organizations o where o.id = ${caller.organizationId}`
  const [allowance] = yield* Effect.orDie(decodeAllowance(rows))
  return allowance
})

/** The refusal of a run that costs more than there is, or that is one too many at once. The acceptance decides again. */
export const refusalOf = (
  caller: Caller,
  cost: number,
  { available, unfinished }: Allowance
): InsufficientCredits | ConcurrentLimit | undefined => {
  if (cost > available) return insufficientCredits(cost, available)
  const limit = concurrencyOf(caller)
  return unfinished >= limit ? tooManyAtOnce(limit) : undefined
}

/** An execution to be made, as the database function `accept_together` takes it. */
interface Acceptance {
  readonly organization: string
  /** The arguments as members of a JSON object, without braces. */
  readonly members: string
}

/** The database's answer to an acceptance. */
type Verdict = typeof Verdict.Type

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
const acceptTogether = Effect.fnUntraced(function* (acceptances: ReadonlyArray<Acceptance>) {
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

/** Refuses a run because of the limit of concurrent executions. */
const tooManyAtOnce = (limit: number): ConcurrentLimit =>
  new ConcurrentLimit({
    message: `Too many concurrent executions: at most ${limit} may be pending or running`,
    details: { limit }
  })

/** Documents up to this size, in bytes, are stored in the statement that accepts their run, if the database stores blobs. */
const small = 64 * 1024

/** Decides who is accepted: replays, credits and concurrency, in one statement for all runs that arrive together. */
export class Acceptances extends Context.Service<
  Acceptances,
  {
    /** The allowance of a caller, before its document is opened. */
    allowanceOf(caller: Caller): Effect.Effect<Allowance, SqlError.SqlError>
    /**
     * Accepts a run. A large document is stored before, which may take long, so that nothing slow happens while the
     * organization's row is locked; it is removed again if the run is refused.
     */
    accept(
      run: NewExecution,
      bytes: Uint8Array
    ): Effect.Effect<
      Accepted,
      ConcurrentLimit | InsufficientCredits | ValidationFailed | SqlError.SqlError | BlobStoreFailure
    >
  }
>()("docflow/Acceptances") {
  static readonly layer = Layer.effect(
    Acceptances,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const uses = yield* BlobUses
      const { send } = yield* makeBatches<Acceptance, Verdict>({
        statement: (acceptances) =>
          Effect.provideService(acceptTogether(acceptances), SqlClient.SqlClient, sql),
        keyOf: ({ organization }) => organization,
        sizeOf: ({ members }) => members.length
      })
      return Acceptances.of({
        allowanceOf: (caller) => lookUp(sql, caller),
        accept: (run, bytes) =>
          bytes.length <= small && uses.inDatabase
            ? createExecution(run, "execution.run", send, bytes)
            : uses.storing(run.document.blob, bytes, createExecution(run, "execution.run", send))
      })
    })
  )
}
