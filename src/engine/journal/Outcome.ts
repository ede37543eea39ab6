import { Context, DateTime, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import type { ExecutionError } from "../../domain/Execution.ts"
import { jsonText } from "../../sql/Json.ts"
import { DeliveryQueue } from "./DeliveryQueue.ts"
import { ExecutionWrites } from "./ExecutionWrites.ts"
import { countEnd } from "../placement/ExecutionMetrics.ts"
import { Signals } from "../signals/Signals.ts"
import { encodeJson } from "../../support/JsonSlices.ts"
import { inSpan } from "../../support/InSpan.ts"

/** How an execution ends. */
export type End =
  | { readonly status: "completed"; readonly output: unknown }
  | { readonly status: "failed"; readonly error: ExecutionError }
  | { readonly status: "cancelled" }

/** The only service that ends executions. */
export class Outcome extends Context.Service<
  Outcome,
  {
    /**
     * Ends an execution in one statement with the settlement of its credits and the webhook to send. The share of the
     * finished steps is charged, or nothing if it failed. False if it had ended before: then nothing is changed, and
     * the caller's result is dropped.
     */
    end(executionId: string, end: End): Effect.Effect<boolean, SqlError.SqlError>
  }
>()("docflow/engine/Outcome") {
  static readonly layer = Layer.effect(
    Outcome,
    Effect.gen(function* () {
      const writes = yield* ExecutionWrites
      const signals = yield* Signals
      const deliveries = yield* DeliveryQueue

      const end = Effect.fnUntraced(function* (executionId: string, how: End) {
        const at = yield* DateTime.nowAsDate
        const output = how.status === "completed" ? how.output : null
        const error = how.status === "failed" ? how.error : null
        const ended = yield* writes.write(executionId, at, {
          act: "end",
          status: how.status,
          output:
            output === undefined || output === null
              ? undefined
              : (yield* encodeJson(output, jsonText)).toString(),
          error
        })
        if (!ended.done) return false
        const { charged } = ended
        yield* signals.announceEnd(executionId, {
          status: how.status,
          output,
          error,
          at,
          charged: charged ?? 0
        })
        if (ended.webhook === true) yield* deliveries.wake
        yield* countEnd(how.status)
        return true
      }, inSpan("Outcome.end"))

      return Outcome.of({ end })
    })
  )
}
