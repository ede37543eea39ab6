import { Context, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type SqlError } from "effect/sql"
import type { WebhookEvent } from "../domain/Delivery.ts"
import type { ExecutionError } from "../domain/Execution.ts"
import { json } from "../sql/Json.ts"
import * as Ledger from "../sql/Ledger.ts"
import { logged } from "./event-log/Logged.ts"
import { countEnd } from "./ExecutionMetrics.ts"
import { Signals } from "./Signals.ts"

/** How an execution ends. */
export type End =
  | { readonly status: "completed"; readonly output: unknown }
  | { readonly status: "failed"; readonly error: ExecutionError }
  | { readonly status: "cancelled" }

interface EndedRow {
  readonly organization_id: string
  readonly reserved: number
  /** The steps of the flow without those that a replay took over. */
  readonly own_steps: number
  readonly webhook_url: string | null
}

/** The one place where executions end. */
export class Outcome extends Context.Service<
  Outcome,
  {
    /**
     * Ends an execution in one transaction with the settlement of its credits and the webhook to send. False when it had
     * ended before: then nothing is changed, and what the caller has is dropped.
     */
    end(executionId: string, end: End): Effect.Effect<boolean, SqlError.SqlError>
  }
>()("docflow/engine/Outcome") {
  static readonly layer = Layer.effect(
    Outcome,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const signals = yield* Signals

      const fence = (executionId: string, end: End, at: Date) => sql<EndedRow>`
        with changed as (
          update executions set
            status = ${end.status}, ended_at = ${at},
            output = ${json(sql, end.status === "completed" ? end.output : null)},
            error = ${json(sql, end.status === "failed" ? end.error : null)},
            progress_percentage = case when ${end.status} = 'completed' then 100 else progress_percentage end,
            event_seq = event_seq + 1
          where id = ${executionId} and status in ('pending', 'running')
          returning id, event_seq, organization_id, reserved, step_count, reused_steps, webhook_url
        ), entry as (${logged(sql, `execution.${end.status}`, at)})
        select organization_id, reserved::float8, webhook_url,
               step_count - coalesce(json_array_length(reused_steps), 0) as own_steps
        from changed`

      /** A step that holds others counts once, when it has finished itself: those inside have a path with a dot. */
      const finishedSteps = (executionId: string) =>
        Effect.map(
          sql<{ finished: number }>`
            select count(*)::int as finished from step_results
            where execution_id = ${executionId} and status = 'completed' and reused_from is null
              and position('.' in path) = 0`,
          ([row]) => row?.finished ?? 0
        )

      const settle = Effect.fnUntraced(function* (executionId: string, end: End, at: Date, row: EndedRow) {
        if (row.reserved === 0) return
        const finished = end.status === "failed" ? 0 : yield* finishedSteps(executionId)
        const charged = chargeFor(row.reserved, finished, row.own_steps)
        yield* Ledger.settle({
          organizationId: row.organization_id,
          executionId,
          amount: row.reserved,
          charged,
          at
        })
        yield* sql`update executions set charged = ${charged}::numeric where id = ${executionId}`
      })

      const enqueue = Effect.fnUntraced(function* (executionId: string, end: End, at: Date, row: EndedRow) {
        if (row.webhook_url === null) return
        const event: WebhookEvent = `execution.${end.status}`
        yield* sql`
          insert into deliveries (id, execution_id, event, url, next_attempt_at, created_at)
          values (${`dlv_${yield* random.ulid}`}, ${executionId}, ${event}, ${row.webhook_url}, ${at}, ${at})`
      })

      const end = Effect.fn("Outcome.end")(function* (executionId: string, how: End) {
        const at = yield* DateTime.nowAsDate
        const ended = yield* sql.withTransaction(
          Effect.gen(function* () {
            const [row] = yield* fence(executionId, how, at)
            if (row === undefined) return false
            yield* settle(executionId, how, at, row)
            yield* enqueue(executionId, how, at, row)
            return true
          }).pipe(Effect.provideService(SqlClient.SqlClient, sql))
        )
        if (ended) {
          yield* signals.announceEnd(executionId)
          yield* countEnd(how.status)
        }
        return ended
      })

      return Outcome.of({ end })
    })
  )
}

/** What of a reservation is charged when so many of the flow's steps have finished: their share, never more. */
export const chargeFor = (reserved: number, finishedSteps: number, stepCount: number): number =>
  stepCount === 0 ? reserved : Math.min(reserved, Ledger.roundCredits((reserved * finishedSteps) / stepCount))
