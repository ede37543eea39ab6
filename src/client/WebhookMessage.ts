import { Schema } from "effect"
import { WebhookEvent } from "../domain/Delivery.ts"
import { Execution } from "../domain/Execution.ts"

/** A webhook was not sent by the service with this secret just now, or is none. `reason` says which. */
export class WebhookRefused extends Schema.TaggedError<WebhookRefused>()("WebhookRefused", {
  reason: Schema.Literals(["unsigned", "wrong signature", "too old", "too new", "not a webhook"]),
  message: Schema.String
}) {}

/** The body of a webhook. */
export const WebhookBody = Schema.Struct({
  type: WebhookEvent,
  /** When this attempt to deliver was made. When the execution ended is in `data`. */
  timestamp: Schema.String,
  /** The execution, as `GET /runs/{id}` returned it at `timestamp`. */
  data: Schema.Struct({
    ...Execution.fields,
    /** The output would have made the body larger than 1 MiB: `GET /runs/{id}` has it. */
    outputOmitted: Schema.optionalKey(Schema.Literal(true))
  })
})

/** A verified webhook. */
export interface WebhookMessage extends Schema.Schema.Type<typeof WebhookBody> {
  /** The same in every attempt to deliver this message: keep it to recognize one that arrives twice. */
  readonly id: string | undefined
}
