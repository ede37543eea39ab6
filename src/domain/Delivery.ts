import { Schema } from "effect"

/** The events that a webhook reports. */
export const WebhookEvent = Schema.Literals([
  "execution.completed",
  "execution.failed",
  "execution.cancelled",
  "corrections.saved"
])
export type WebhookEvent = typeof WebhookEvent.Type

/** One attempt to deliver: the response, or why there was none. */
export const DeliveryAttempt = Schema.Struct({
  at: Schema.String,
  durationMs: Schema.Finite,
  status: Schema.optionalKey(Schema.Int),
  error: Schema.optionalKey(Schema.String)
})
export type DeliveryAttempt = typeof DeliveryAttempt.Type

/** A webhook to send, with its log of attempts. */
export const Delivery = Schema.Struct({
  id: Schema.String,
  executionId: Schema.String,
  event: WebhookEvent,
  url: Schema.String,
  status: Schema.Literals(["pending", "delivered", "failed"]),
  createdAt: Schema.String,
  nextAttemptAt: Schema.NullOr(Schema.String),
  attempts: Schema.Array(DeliveryAttempt)
})
export type Delivery = typeof Delivery.Type
