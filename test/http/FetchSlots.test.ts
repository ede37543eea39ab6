import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { makeFetchSlots } from "../../src/http/FetchInput.ts"

const results = (started: ReadonlyArray<Fiber.Fiber<unknown>>) => Effect.forEach(started, Fiber.join)

/** Fetches that end when the gate opens, and the most that ran at once. */
const fetches = (slots: ReturnType<typeof makeFetchSlots>) => {
  const gate = Deferred.makeUnsafe<void>()
  const counts = { running: 0, most: 0 }
  const fetching = Effect.acquireUseRelease(
    Effect.sync(() => {
      counts.most = Math.max(counts.most, ++counts.running)
    }),
    () => Effect.as(Deferred.await(gate), "fetched"),
    () => Effect.sync(() => counts.running--)
  )
  const start = (owner: string) =>
    Effect.forkChild(Effect.exit(slots.with(owner, fetching, Effect.fail("busy" as const))), {
      startImmediately: true
    })
  return { counts, gate, start }
}

describe("the slots for fetching", () => {
  it.effect("are two for an organization, whose other documents wait for them", () =>
    Effect.gen(function* () {
      const { counts, gate, start } = fetches(makeFetchSlots())
      const started = yield* Effect.forEach(Array.from({ length: 10 }), () => start("one"))
      expect(counts.running).toBe(2)
      yield* Deferred.succeed(gate, undefined)
      for (const exit of yield* results(started)) expect(exit).toMatchObject({ _tag: "Success" })
      expect(counts).toEqual({ running: 0, most: 2 })
    })
  )

  it.effect("are eight in all, of which one organization holds two", () =>
    Effect.gen(function* () {
      const { counts, start } = fetches(makeFetchSlots())
      yield* Effect.forEach(Array.from({ length: 32 }), () => start("greedy"))
      yield* start("modest")
      expect(counts.running).toBe(3)
      yield* Effect.forEach(Array.from({ length: 20 }), (_, i) => start(`other ${i}`))
      expect(counts.running).toBe(8)
    })
  )

  it.effect("are waited for up to ten seconds, and given back by whoever gave up", () =>
    Effect.gen(function* () {
      const slots = makeFetchSlots()
      const { counts, gate, start } = fetches(slots)
      const first = yield* Effect.forEach(Array.from({ length: 2 }), () => start("one"))
      const late = yield* start("one")
      yield* TestClock.adjust("10 seconds")
      expect(yield* Fiber.join(late)).toMatchObject({ _tag: "Failure" })
      expect(counts.running).toBe(2)
      yield* Deferred.succeed(gate, undefined)
      yield* results(first)
      expect(yield* Fiber.join(yield* start("one"))).toMatchObject({ _tag: "Success" })
    })
  )

  it.effect("refuse at once where too many wait, until some have ended", () =>
    Effect.gen(function* () {
      const { gate, start } = fetches(makeFetchSlots())
      const started = yield* Effect.forEach(Array.from({ length: 32 }), () => start("one"))
      expect(yield* Fiber.join(yield* start("one"))).toMatchObject({ _tag: "Failure" })
      yield* Deferred.succeed(gate, undefined)
      yield* results(started)
      expect(yield* Fiber.join(yield* start("one"))).toMatchObject({ _tag: "Success" })
    })
  )
})
