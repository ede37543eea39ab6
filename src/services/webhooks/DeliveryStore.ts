import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type SqlError } from "effect/sql"
import { type DeliveryAttempt, WebhookEvent } from "../../domain/Delivery.ts"
import type { Execution } from "../../domain/Execution.ts"
import { Environment } from "../../domain/Organization.ts"
import { executionColumns, executionsFrom } from "../../engine/journal/ExecutionRow.ts"
import { json } from "../../sql/Json.ts"
import type { Room } from "./Slots.ts"
import { decodeRows } from "../../support/DecodeRows.ts"

/**
 * The lease of a claimed delivery: longer than any attempt takes. If its process dies, no result is recorded, and
 * another one repeats the attempt after the lease.
 */
const leaseTime = Duration.seconds(60)
/** The number of attempts of an organization that may use the reserve. */
const ofReserve = 2

const ClaimedRow = Schema.Struct({
  id: Schema.String,
  execution_id: Schema.String,
  number: Schema.Int,
  event: WebhookEvent,
  url: Schema.String,
  host: Schema.String,
  attempts_made: Schema.Int,
  lease: Schema.String,
  organization_id: Schema.String,
  environment: Environment,
  webhook_secret: Schema.NullOr(Schema.String),
  erased: Schema.Boolean
})

/** A delivery that this process holds a lease on. */
export type Claimed = typeof ClaimedRow.Type

/** The result of an attempt, for the log. */
export interface AttemptResult {
  readonly at: DateTime.Utc
  readonly durationMs: number
  readonly status: number | undefined
  readonly error: string | undefined
}

/** The next state of the delivery after an attempt. */
export type Verdict =
  | { readonly _tag: "Delivered" }
  | { readonly _tag: "Failed" }
  | { readonly _tag: "Retry"; readonly at: DateTime.Utc }
  /** The process stopped during the attempt, which does not count: the next is due immediately. */
  | { readonly _tag: "HandedBack" }

/** The outbox of webhooks in the database; any number of processes may work on it. */
export class DeliveryStore extends Context.Service<
  DeliveryStore,
  {
    /**
     * Claims due deliveries whose receiver and organization have free slots: those of organizations with the fewest
     * attempts under way first, and for each, those that have been due longest.
     */
    claim(room: Room): Effect.Effect<ReadonlyArray<Claimed>, SqlError.SqlError>
    /** The execution as `GET /runs/{id}` returns it. */
    execution(claimed: Claimed): Effect.Effect<Execution | undefined, SqlError.SqlError>
    /** Logs an attempt and updates its delivery; only logs if the lease has passed to another attempt meanwhile. */
    finish(claimed: Claimed, result: AttemptResult, verdict: Verdict): Effect.Effect<void, SqlError.SqlError>
    /** When the next delivery becomes due that was not due at `lookedAt`. */
    nextDue(lookedAt: DateTime.Utc): Effect.Effect<Option.Option<DateTime.Utc>, SqlError.SqlError>
  }
>()("docflow/Webhooks/DeliveryStore") {
  static readonly layer = Layer.effect(
    DeliveryStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const columns = sql.literal(executionColumns)

      const claim = Effect.fnUntraced(function* (room: Room) {
        const now = yield* DateTime.now
        const at = DateTime.toDateUtc(now)
        const until = DateTime.toDateUtc(DateTime.addDuration(now, leaseTime))
        const hosts = json(sql, room.inFlight.hosts)
        const organizations = json(sql, room.inFlight.organizations)
        const pairs = json(sql, room.inFlight.pairs)
        const pair = sql`organization_id || ' ' || host`
        // What is pending is walked by receiver, and of each only what it has free slots for is read: a long backlog costs as
        // little as a short one, and hides nobody. The chosen ones are found by their keys alone, and looked at again once they are
        // locked: only pending ones have a next attempt.
        const rows = yield* sql`
          with recursive receivers as (
            (select organization_id, host from deliveries where status = 'pending'
             order by organization_id, host limit 1)
            union all
            select following.* from receivers r, lateral (
              select d.organization_id, d.host from deliveries d
              where d.status = 'pending' and (d.organization_id, d.host) > (r.organization_id, r.host)
              order by d.organization_id, d.host limit 1) following
          ), open as (
            select d.* from receivers r, lateral (
              select d.execution_id, d.ctid as at, d.next_attempt_at, d.host, d.organization_id from deliveries d
              where d.status = 'pending' and d.organization_id = r.organization_id and d.host = r.host
                and d.next_attempt_at <= ${at}
                and (coalesce((${hosts} ->> r.host)::int, 0) < ${room.perHost}::int
                  or (${pairs} ->> (r.organization_id || ' ' || r.host)) is null)
                and coalesce((${organizations} ->> r.organization_id)::int, 0) < ${room.perOrganization}::int
              order by d.next_attempt_at
              limit greatest(0, ${room.perPair}::int - coalesce((${pairs} ->> (r.organization_id || ' ' || r.host))::int, 0))
            ) d
          ), own as (
            select *,
              row_number() over (partition by organization_id, host order by next_attempt_at, at)
                + coalesce((${pairs} ->> (${pair}))::int, 0) as of_pair,
              row_number() over (partition by organization_id order by next_attempt_at, at)
                + coalesce((${organizations} ->> organization_id)::int, 0) as of_organization
            from open
          ), ranked as (
            select *,
              row_number() over (partition by host order by of_pair, next_attempt_at, at)
                + coalesce((${hosts} ->> host)::int, 0) as of_host
            from own where of_pair <= ${room.perPair}::int and of_organization <= ${room.perOrganization}::int
          ), fair as (
            select *, row_number() over (order by of_organization, next_attempt_at, at) as place
            from ranked where of_host <= ${room.perHost}::int or of_pair = 1
          ), chosen as (
            select execution_id, at from fair where place <= ${room.free}::int
              or (of_organization <= ${ofReserve}::int and place <= ${room.free + room.reserve}::int)
          ), locked as (
            select d.execution_id, d.ctid as at from deliveries d
            where d.execution_id = any (array(select execution_id from chosen)) and d.ctid = any (array(select at from chosen))
              and coalesce(d.next_attempt_at <= ${at}, false)
            for update skip locked
          )
          update deliveries d set lease = ${yield* random.ulid}, next_attempt_at = ${until}
          from executions e
          where d.execution_id = any (array(select execution_id from locked)) and d.ctid = any (array(select at from locked))
            and e.id = d.execution_id
          returning delivery_id(e.id, d.number) as id, d.execution_id, d.number, d.event, d.host, d.attempts_made, d.lease,
            d.organization_id, e.environment, coalesce(e.webhook_url, '') as url,
            encode(e.webhook_secret, 'base64') as webhook_secret, e.erased_at is not null as erased`
        return yield* decodeRows(ClaimedRow, rows)
      })

      const execution = (claimed: Claimed) =>
        sql`select ${columns} from executions where id = ${claimed.execution_id}`.pipe(
          Effect.flatMap((rows) => executionsFrom(rows)),
          Effect.map(([found]) => found)
        )

      const finish = (
        claimed: Claimed,
        { at, durationMs, error, status }: AttemptResult,
        verdict: Verdict
      ) => {
        const attempt: DeliveryAttempt = {
          at: DateTime.formatIso(at),
          durationMs,
          ...(status === undefined ? {} : { status }),
          ...(error === undefined ? {} : { error })
        }
        const settled = settlement(verdict, DateTime.toDateUtc(at))
        const isPending = settled.status === "pending"
        // One statement, so that an attempt is logged and settled, or neither.
        return Effect.asVoid(sql`
          update deliveries d set attempts = (d.attempts::jsonb || ${json(sql, [attempt])}::jsonb)::json,
            (status, next_attempt_at, attempts_made, lease, organization_id, host) = (
              select d.status, d.next_attempt_at, d.attempts_made, d.lease, d.organization_id, d.host
              where d.lease is distinct from ${claimed.lease}
              union all
              select ${settled.status}::text, ${settled.nextAttemptAt}::timestamptz, d.attempts_made + ${settled.attempts}::int,
                null, case when ${isPending}::bool then d.organization_id end, case when ${isPending}::bool then d.host end
              where d.lease = ${claimed.lease})
          where d.execution_id = ${claimed.execution_id} and d.number = ${claimed.number}`)
      }

      const nextDue = Effect.fnUntraced(function* (lookedAt: DateTime.Utc) {
        const at = DateTime.toDateUtc(lookedAt)
        const rows = yield* sql`
          select min(next_attempt_at) as next from deliveries where status = 'pending' and next_attempt_at > ${at}`
        const [row] = yield* Effect.orDie(decodeNext(rows))
        return Option.map(Option.fromNullishOr(row?.next), DateTime.fromDateUnsafe)
      })

      return DeliveryStore.of({ claim, execution, finish, nextDue })
    })
  )
}

const decodeNext = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ next: Schema.NullOr(Schema.Date) }))
)

const settlement = (verdict: Verdict, at: Date) => {
  switch (verdict._tag) {
    case "Delivered":
      return { status: "delivered", nextAttemptAt: null, attempts: 1 }
    case "Failed":
      return { status: "failed", nextAttemptAt: null, attempts: 1 }
    case "Retry":
      return { status: "pending", nextAttemptAt: DateTime.toDateUtc(verdict.at), attempts: 1 }
    case "HandedBack":
      return { status: "pending", nextAttemptAt: at, attempts: 0 }
  }
}
