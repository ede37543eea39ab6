import { describe, expect, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Ref } from "effect"
import { TestClock } from "effect/testing"
import { unlessLate } from "../../src/support/UnlessLate.ts"

const orLate = unlessLate("10 seconds", () => Effect.succeed("late"))

describe("an effect that must not be late", () => {
  it.effect("ends as it does if it is in time, with its failure too", () =>
    Effect.gen(function* () {
      expect(yield* orLate(Effect.succeed("at once"))).toBe("at once")
      expect(yield* Effect.flip(orLate(Effect.fail("no")))).toBe("no")
      const waiting = yield* Effect.forkChild(orLate(Effect.delay(Effect.succeed("in time"), "9 seconds")))
      yield* TestClock.adjust("9 seconds")
      expect(yield* Fiber.join(waiting)).toBe("in time")
    })
  )

  it.effect("is interrupted when it is late, and with whoever waits for it", () =>
    Effect.gen(function* () {
      const interrupted = yield* Ref.make(0)
      const hanging = Effect.onInterrupt(Effect.never, () => Ref.update(interrupted, (count) => count + 1))
      const late = yield* Effect.forkChild(orLate(hanging))
      yield* TestClock.adjust("10 seconds")
      expect(yield* Fiber.join(late)).toBe("late")
      expect(yield* Ref.get(interrupted)).toBe(1)
      const begun = yield* Deferred.make<void>()
      const left = yield* Effect.forkChild(
        orLate(Effect.andThen(Deferred.succeed(begun, undefined), hanging))
      )
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(left)
      expect(yield* Ref.get(interrupted)).toBe(2)
    })
  )

  it.effect("is not waited for when it is late, though it takes long to be interrupted", () =>
    Effect.gen(function* () {
      const slow = Effect.onInterrupt(Effect.never, () => Effect.sleep("5 seconds"))
      const late = yield* Effect.forkChild(Effect.timed(orLate(slow)))
      yield* TestClock.adjust("20 seconds")
      const [took, answer] = yield* Fiber.join(late)
      expect(answer).toBe("late")
      expect(Duration.toSeconds(took)).toBe(10)
    })
  )
})
