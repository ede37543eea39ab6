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

const Row = Schema.Struct({
  id: Schema.String,
  executionId: Schema.String,
  event: WebhookEvent,
  url: Schema.String,
  status: Delivery.fields.status,
  createdAt: Schema.Date,
  nextAttemptAt: Schema.NullOr(Schema.Date),
  attempts: Delivery.fields.attempts
})

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

      const columns = sql.literal(
        `delivery_id(e.id, d.number) as id, e.id as "executionId", d.event, coalesce(e.webhook_url, '') as url, d.status, ` +
          `d.created_at as "createdAt", d.next_attempt_at as "nextAttemptAt", d.attempts`
      )

      const deliveries = Effect.fn("Webhooks.deliveries")(function* (executionId: string) {
        const executions = yield* sql`select 1 from executions where id = ${executionId}`
        if (executions.length === 0) return yield* new DeliveryNotFound({ id: executionId })
        return yield* decoded(
          yield* sql`
            select ${columns} from deliveries d join executions e on e.id = d.execution_id
            where d.execution_id = ${executionId} order by d.number`
        )
      })

      const redeliver = Effect.fn("Webhooks.redeliver")(function* (id: string) {
        const [, execution = "", number = "0"] = /^dlv_(\w+)_(\d{1,9})$/u.exec(id) ?? []
        const rows = yield* sql`
          update deliveries d set status = 'pending', next_attempt_at = ${yield* DateTime.nowAsDate},
            attempts_made = 0, lease = null, organization_id = e.organization_id, host = host_of(e.webhook_url)
          from executions e
          where d.execution_id = ${`exec_${execution}`} and d.number = ${Number(number)} and e.id = d.execution_id
          returning ${columns}`
        const [delivery] = yield* decoded(rows)
        if (delivery === undefined) return yield* new DeliveryNotFound({ id })
        yield* audit.record({ action: "delivery.redelivered", subject: id })
        yield* queue.wake
        return delivery
      })

      return Webhooks.of({ deliveries, redeliver })
    })
  )
}

const decoded = (rows: ReadonlyArray<unknown>) =>
  Effect.map(decodeRows(Row, rows), (found) => found.map(deliveryOf))

const deliveryOf = ({ createdAt, nextAttemptAt, ...row }: typeof Row.Type): Delivery => ({
  ...row,
  createdAt: createdAt.toISOString(),
  nextAttemptAt: nextAttemptAt?.toISOString() ?? null
})
