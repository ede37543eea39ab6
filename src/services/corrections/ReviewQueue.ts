import { Context, DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { Audit } from "../audit/Audit.ts"

/** After this time without activity, a claimed execution is free for others. */
export const claimTime = Duration.minutes(15)

/** A claimed execution, and the number of those waiting. */
export interface Claimed {
  readonly executionId: string | null
  readonly waiting: number
}

/** Executions with fields that need review, each assigned to one person at a time, the oldest first. */
export class ReviewQueue extends Context.Service<
  ReviewQueue,
  {
    /** The number of executions that wait, claimed ones included. */
    waiting(organizationId: string): Effect.Effect<number, SqlError.SqlError>
    /** Assigns the next one to `person`, and releases the one before. */
    next(organizationId: string, person: string): Effect.Effect<Claimed, SqlError.SqlError>
  }
>()("docflow/ReviewQueue") {
  static readonly layer = Layer.effect(
    ReviewQueue,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* Audit

      const waiting = Effect.fn("ReviewQueue.waiting")(function* (organizationId: string) {
        const [row] = yield* sql<{ total: number }>`
          select count(*)::int as total from executions
          where organization_id = ${organizationId} and review_open > 0 and status = 'completed' and erased_at is null`
        return row?.total ?? 0
      })

      const next = Effect.fn("ReviewQueue.next")(function* (organizationId: string, person: string) {
        const now = yield* DateTime.now
        const rows = yield* sql<{ id: string }>`
          update executions set review_claimed_by = ${person}, review_claimed_at = ${DateTime.toDateUtc(now)}
          where id = (
            select id from executions
            where organization_id = ${organizationId} and review_open > 0 and status = 'completed'
              and erased_at is null and (review_claimed_at is null
                or review_claimed_at <= ${DateTime.toDateUtc(DateTime.subtractDuration(now, claimTime))})
            order by created_at, id limit 1 for update skip locked)
          returning id`
        const executionId = rows[0]?.id ?? null
        if (executionId !== null) {
          yield* audit.record({ action: "review.claimed", subject: executionId, organizationId })
        }
        return { executionId, waiting: yield* waiting(organizationId) }
      })

      return ReviewQueue.of({ waiting, next })
    })
  )
}
