import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { Audit } from "../storage/Audit.ts"

/** After this time without activity, a claimed execution is free for others. */
const claimTime = "interval '15 minutes'"

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
    /**
     * Assigns an execution to `person` and releases the one before: the one that the person has already, or the oldest.
     * With `after`, the next one after that execution, and another one in any case.
     */
    next(organizationId: string, person: string, after?: string): Effect.Effect<Claimed, SqlError.SqlError>
    /** The person works on it: it stays assigned. */
    renew(executionId: string, person: string): Effect.Effect<void, SqlError.SqlError>
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

      const releaseOthers = (organizationId: string, person: string, kept: string) => sql`
        update executions set review_claimed_by = null, review_claimed_at = null
        where organization_id = ${organizationId} and review_open > 0 and status = 'completed' and erased_at is null
          and review_claimed_by = ${person} and id <> ${kept}`

      const next = Effect.fn("ReviewQueue.next")(function* (
        organizationId: string,
        person: string,
        after?: string
      ) {
        const order =
          after === undefined
            ? sql`(review_claimed_by = ${person}) is true desc`
            : sql`(created_at, id) > (select created_at, id from executions where id = ${after}) desc`
        const rows = yield* sql<{ id: string; own: boolean }>`
          with chosen as (
            select id, (review_claimed_by = ${person}) is true as own from executions
            where organization_id = ${organizationId} and review_open > 0 and status = 'completed'
              and erased_at is null and id <> ${after ?? ""} and (review_claimed_at is null
                or review_claimed_at <= now() - ${sql.literal(claimTime)} or review_claimed_by = ${person})
            order by ${order}, created_at, id limit 1 for update skip locked)
          update executions set review_claimed_by = ${person}, review_claimed_at = now()
          from chosen where executions.id = chosen.id returning executions.id, chosen.own`
        const [claimed] = rows
        if (claimed !== undefined) yield* releaseOthers(organizationId, person, claimed.id)
        if (claimed?.own === false) {
          yield* audit.record({ action: "review.claimed", subject: claimed.id, organizationId })
        }
        return { executionId: claimed?.id ?? null, waiting: yield* waiting(organizationId) }
      })

      const renew = Effect.fn("ReviewQueue.renew")(function* (executionId: string, person: string) {
        yield* sql`update executions set review_claimed_at = now()
          where id = ${executionId} and review_claimed_by = ${person} and review_open > 0`
      })

      return ReviewQueue.of({ waiting, next, renew })
    })
  )
}
