import { Clock, DateTime, Duration, Effect, FiberSet, Layer, Option } from "effect"
import { Attempt } from "./Attempt.ts"
import { DeliveryQueue } from "../../engine/journal/DeliveryQueue.ts"
import { DeliveryStore } from "./DeliveryStore.ts"
import { type Limits, Slots } from "./Slots.ts"
import { WebhookSender } from "./WebhookSender.ts"

const limits: Limits = { overall: 128, reserve: 64, perHost: 32, perOrganization: 48, perPair: 8 }
/** A pause after the database failed. */
const pause = Duration.seconds(1)

/** Sends due deliveries; polls the database at least every `pollInterval`. */
const deliver = Effect.fnUntraced(function* (pollInterval: Duration.Duration) {
  const store = yield* DeliveryStore
  const attempt = yield* Attempt
  const queue = yield* DeliveryQueue
  const slots = new Slots(limits)
  const running = yield* FiberSet.make<void>()

  /** Sends what is due; returns the time until which it looked. */
  const sendDue = Effect.gen(function* () {
    let lookedAt = yield* DateTime.now
    while (slots.room.free + slots.room.reserve > 0) {
      lookedAt = yield* DateTime.now
      const claimed = yield* store.claim(slots.room)
      if (claimed.length === 0) break
      for (const delivery of claimed) {
        slots.take(delivery)
        const done = Effect.andThen(
          Effect.sync(() => slots.release(delivery)),
          queue.wake
        )
        yield* FiberSet.run(running, Effect.ensuring(attempt.make(delivery), done))
      }
    }
    return lookedAt
  })

  const untilNext = Effect.fnUntraced(function* (lookedAt: DateTime.Utc) {
    const due = yield* store.nextDue(lookedAt)
    const now = yield* Clock.currentTimeMillis
    const next = Option.map(due, (at) => Duration.millis(DateTime.toEpochMillis(at) - now))
    return Duration.min(
      pollInterval,
      Option.getOrElse(next, () => pollInterval)
    )
  })

  yield* sendDue.pipe(
    Effect.flatMap(untilNext),
    Effect.flatMap((wait) => Effect.raceFirst(queue.awaitWake, Effect.sleep(wait))),
    Effect.catch((error) =>
      Effect.andThen(
        Effect.logWarning("Looking for webhooks to send failed", error.message),
        Effect.sleep(pause)
      )
    ),
    Effect.forever,
    Effect.forkScoped
  )
})

/**
 * Sends the webhooks in the outbox through `Outbound`: immediately when this process is notified of one, otherwise when
 * the next is due. Polls the database at least every `pollInterval`, for deliveries of a process that died before it
 * sent them. Stopping interrupts the attempts under way and releases them.
 */
export const layerWith = (pollInterval: Duration.Duration) =>
  Layer.effectDiscard(deliver(pollInterval)).pipe(
    Layer.provide(Attempt.layer),
    Layer.provide(DeliveryStore.layer),
    Layer.provide(WebhookSender.layer)
  )

/** The deliverer, which polls the database every 30 seconds. */
export const layer = layerWith(Duration.seconds(30))
