import { Context, Effect, Layer, Queue } from "effect"

/** Wakes the deliverer of this process when there is something to send, so that it need not wait for its next poll. */
export class DeliveryQueue extends Context.Service<
  DeliveryQueue,
  {
    /** There may be a delivery that is due. */
    readonly wake: Effect.Effect<void>
    /** Returns once somebody has called `wake`; calls before it count as one. */
    readonly awaitWake: Effect.Effect<void>
  }
>()("docflow/engine/DeliveryQueue") {
  static readonly layer = Layer.effect(
    DeliveryQueue,
    Effect.gen(function* () {
      const bell = yield* Queue.sliding<void>(1)
      return DeliveryQueue.of({
        wake: Effect.asVoid(Queue.offer(bell, undefined)),
        awaitWake: Queue.take(bell)
      })
    })
  )
}
