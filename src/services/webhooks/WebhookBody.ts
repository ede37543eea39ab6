import type { WebhookEvent } from "../../domain/Delivery.ts"
import type { Execution } from "../../domain/Execution.ts"

/** The size above which a body omits the output, in bytes. */
const maxBytes = 1024 * 1024

/**
 * The body of a webhook: the event and the execution as `GET /runs/{id}` returns it. `at` is when the attempt is made, so
 * that receivers can refuse a body that is replayed to them later. Where the body would be larger than 1 MiB, the output
 * is left out, as are the corrections, and `data.outputOmitted` says so; `GET /runs/{id}` has them.
 */
export const webhookBody = (event: WebhookEvent, execution: Execution, at: Date): Buffer => {
  const encode = (data: object) =>
    Buffer.from(JSON.stringify({ type: event, event, timestamp: at.toISOString(), data }), "utf8")
  const whole = encode(execution)
  if (whole.length <= maxBytes) return whole
  const { corrections: _corrections, output: _output, ...rest } = execution
  return encode({ ...rest, outputOmitted: true })
}
