import { Effect, Layer } from "effect"
import { Signals } from "../../engine/Signals.ts"
import { DeliveryQueue } from "./DeliveryQueue.ts"

/** Signals that also wake the deliverer when an execution has ended in this process: its webhook is sent at once. */
export const layer = Layer.effect(
  Signals,
  Effect.gen(function* () {
    const signals = yield* Signals
    const queue = yield* DeliveryQueue
    return Signals.of({
      ...signals,
      announceEnd: (executionId) => Effect.andThen(queue.wake, signals.announceEnd(executionId))
    })
  })
)
