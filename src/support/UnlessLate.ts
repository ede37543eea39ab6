import { type Duration, Effect, Fiber } from "effect"

/**
 * Like `Effect.timeoutOrElse`, for effects that mostly end without waiting for anything: only one that waits is raced with a
 * timer, which costs more than they do. One that is late is interrupted, but nobody waits until it has ended:
 * giving up what hangs may take as long.
 */
export const unlessLate =
  <A2, E2, R2>(duration: Duration.Input, orElse: () => Effect.Effect<A2, E2, R2>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A | A2, E | E2, R | R2> =>
    Effect.flatMap(
      Effect.forkChild(effect, { startImmediately: true }),
      (fiber): Effect.Effect<A | A2, E | E2, R2> =>
        fiber.pollUnsafe() ??
        Effect.timeoutOrElse(
          Effect.onInterrupt(Fiber.join(fiber), () => Effect.sync(() => fiber.interruptUnsafe())),
          { duration, orElse }
        )
    )
