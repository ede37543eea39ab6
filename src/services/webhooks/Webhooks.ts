import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { Audit } from "../storage/Audit.ts"
import { Delivery, WebhookEvent } from "../../domain/Delivery.ts"
import { DeliveryQueue } from "../../engine/journal/DeliveryQueue.ts"
import { decodeRows } from "../../support/DecodeRows.ts"

/** There is no such delivery or execution. */
export class DeliveryNotFound extends Schema.TaggedError<DeliveryNotFound>()("DeliveryNotFound", {
  id: Schema.String
}) {}

const DeliveryRow = Schema.Struct({
  id: Schema.String,
  execution_id: Schema.String,
  event: WebhookEvent,
  url: Schema.String,
  status: Delivery.fields.status,
  created_at: Schema.Date,
  next_attempt_at: Schema.NullOr(Schema.Date)
})

const AttemptRow = Schema.Struct({
  delivery_id: Schema.String,
  at: Schema.Date,
  duration_ms: Schema.Finite,
  status: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(Schema.String)
})
type AttemptRow = typeof AttemptRow.Type

/** The log of webhook deliveries. */
export class Webhooks extends Context.Service<
  Webhooks,
  {
    /** The deliveries of an execution with their attempts, oldest first. */
    deliveries(
      executionId: string
    ): Effect.Effect<ReadonlyArray<Delivery>, DeliveryNotFound | SqlError.SqlError>
    /**
     * Sends a delivery again, immediately, whatever its state; if that fails, the schedule starts over. An attempt
     * under way is only logged when it ends.
     */
    redeliver(id: string): Effect.Effect<Delivery, DeliveryNotFound | SqlError.SqlError>
  }
>()("docflow/Webhooks") {
  static readonly layer = Layer.effect(
    Webhooks,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* DeliveryQueue
      const audit = yield* Audit

      const withAttempts = Effect.fnUntraced(function* (rows: ReadonlyArray<unknown>) {
        const found = yield* decodeRows(DeliveryRow, rows)
        if (found.length === 0) return []
        const attempts = yield* sql`
          select delivery_id, at, duration_ms, status, error from delivery_attempts
          where ${sql.in(
            "delivery_id",
            found.map(({ id }) => id)
          )} order by id`
        const decoded = yield* decodeRows(AttemptRow, attempts)
        return found.map((row) =>
          deliveryOf(
            row,
            decoded.filter((attempt) => attempt.delivery_id === row.id)
          )
        )
      })

      const deliveries = Effect.fn("Webhooks.deliveries")(function* (executionId: string) {
        const executions = yield* sql`select 1 from executions where id = ${executionId}`
        if (executions.length === 0) return yield* new DeliveryNotFound({ id: executionId })
        return yield* sql.withTransaction(
          Effect.gen(function* () {
            // One snapshot; otherwise, a delivery could be pending and include the attempt that ended it.
            yield* sql`set transaction isolation level repeatable read`
            return yield* withAttempts(
              yield* sql`select * from deliveries where execution_id = ${executionId} order by created_at, id`
            )
          })
        )
      })

      const redeliver = Effect.fn("Webhooks.redeliver")(function* (id: string) {
        const rows = yield* sql`
          update deliveries set status = 'pending', next_attempt_at = ${yield* DateTime.nowAsDate},
            attempts_made = 0, lease = null
          where id = ${id} returning *`
        const [delivery] = yield* withAttempts(rows)
        if (delivery === undefined) return yield* new DeliveryNotFound({ id })
        yield* audit.record({ action: "delivery.redelivered", subject: id })
        yield* queue.wake
        return delivery
      })

      return Webhooks.of({ deliveries, redeliver })
    })
  )
}

const deliveryOf = (row: typeof DeliveryRow.Type, attempts: ReadonlyArray<AttemptRow>): Delivery => ({
  id: row.id,
  executionId: row.execution_id,
  event: row.event,
  url: row.url,
  status: row.status,
  createdAt: row.created_at.toISOString(),
  nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
  attempts: attempts.map(({ at, duration_ms, error, status }) => ({
    at: at.toISOString(),
    durationMs: duration_ms,
    ...(status === null ? {} : { status }),
    ...(error === null ? {} : { error })
  }))
})
