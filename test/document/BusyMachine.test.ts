import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { withinLimit } from "../../src/document/process/ReadScans.ts"

/** How work of 100 seconds ends that has a limit of 60, on a machine with this load. */
const endOf = (load: number) =>
  Effect.gen(function* () {
    const work = Effect.as(Effect.sleep("100 seconds"), "read")
    const limited = withinLimit(work, 60_000, () => "late", Effect.succeed(load))
    const fiber = yield* Effect.forkChild(
      Effect.match(limited, { onSuccess: ({ result }) => result, onFailure: String })
    )
    yield* TestClock.adjust("400 seconds")
    return yield* Fiber.join(fiber)
  })

describe("a limit of time", () => {
  it.effect("holds on an idle machine, and where the system does not say how busy it is", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual([yield* endOf(0), yield* endOf(1), yield* endOf(1.5)], ["late", "late", "late"])
    })
  )

  it.effect("is longer where other programs take the processor", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual([yield* endOf(2), yield* endOf(12)], ["read", "read"])
    })
  )

  it.effect("ends what hangs, and counts less of the time on a busy machine", () =>
    Effect.gen(function* () {
      const hangs = withinLimit(Effect.never, 60_000, () => "late", Effect.succeed(50))
      const fiber = yield* Effect.forkChild(Effect.flip(hangs))
      yield* TestClock.adjust("360 seconds")
      assert.strictEqual(yield* Fiber.join(fiber), "late")
      const short = withinLimit(Effect.sleep("40 seconds"), 60_000, () => "late", Effect.succeed(4))
      const other = yield* Effect.forkChild(short)
      yield* TestClock.adjust("40 seconds")
      assert.strictEqual((yield* Fiber.join(other)).counted, 10_000)
    })
  )
})
