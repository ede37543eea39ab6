import { Clock, Duration, Effect, Random } from "effect"
import { type Execution, isFinished } from "../domain/Execution.ts"
import { WaitTimeout } from "./ClientFailures.ts"

const steadyFor = Duration.seconds(30)
const longestInterval = Duration.seconds(30)
const growth = 1.5

/**
 * Asks for an execution until it has ended: every two to three seconds at first, after half a minute less and less often,
 * down to every half minute.
 */
export const awaitEnd = Effect.fnUntraced(function* <E>(
  executionId: string,
  get: Effect.Effect<Execution, E>,
  longest: Duration.Duration
) {
  const startedAt = yield* Clock.currentTimeMillis
  let interval = Duration.millis(yield* Random.nextIntBetween(2_000, 3_000))
  while (true) {
    const execution = yield* get
    if (isFinished(execution.status)) return execution
    const waited = Duration.millis((yield* Clock.currentTimeMillis) - startedAt)
    if (Duration.isGreaterThanOrEqualTo(waited, longest)) {
      return yield* new WaitTimeout({
        executionId,
        message: `The execution did not end within ${Duration.format(longest)}; it goes on`
      })
    }
    if (Duration.isGreaterThanOrEqualTo(waited, steadyFor)) {
      interval = Duration.min(
        Duration.millis(Math.round(Duration.toMillis(interval) * growth)),
        longestInterval
      )
    }
    yield* Effect.sleep(Duration.min(interval, Duration.subtract(longest, waited)))
  }
})
