import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { expect, it } from "@effect/vitest"
import { describe } from "vitest"
import { makeSharedCache } from "../../src/support/SharedCache.ts"

describe("a cache whose values are made once", () => {
  it.effect("makes a value once for all who ask in the meantime, and keeps it for five minutes", () =>
    Effect.gen(function* () {
      const cache = yield* makeSharedCache<string, never>({ limit: 10, sizeOf: (value) => value.length })
      const open = yield* Deferred.make<void>()
      let made = 0
      const make = Effect.andThen(
        Deferred.await(open),
        Effect.sync(() => `v${++made}`)
      )
      const first = yield* Effect.forkChild(cache.get("a", make))
      const second = yield* Effect.forkChild(cache.get("a", make))
      yield* Effect.yieldNow
      yield* Deferred.succeed(open, undefined)
      expect(yield* Fiber.join(first)).toBe("v1")
      expect(yield* Fiber.join(second)).toBe("v1")
      expect(yield* cache.get("a", make)).toBe("v1")
      yield* TestClock.adjust("6 minutes")
      expect(yield* cache.get("a", make)).toBe("v2")
    })
  )

  it.effect("finishes a value for the others when the first one stops waiting", () =>
    Effect.gen(function* () {
      const cache = yield* makeSharedCache<string, never>({ limit: 10, sizeOf: (value) => value.length })
      const open = yield* Deferred.make<void>()
      const make = Effect.as(Deferred.await(open), "made")
      const first = yield* Effect.forkChild(cache.get("a", make))
      const second = yield* Effect.forkChild(cache.get("a", Effect.die("made twice")))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(first)
      yield* Deferred.succeed(open, undefined)
      expect(yield* Fiber.join(second)).toBe("made")
    })
  )

  it.effect("tries again after a failure, and does not keep what is too large", () =>
    Effect.gen(function* () {
      const cache = yield* makeSharedCache<string, string>({ limit: 10, sizeOf: (value) => value.length })
      expect(yield* Effect.flip(cache.get("a", Effect.fail("not now")))).toBe("not now")
      expect(yield* cache.get("a", Effect.succeed("longer than half"))).toBe("longer than half")
      expect(yield* cache.get("a", Effect.succeed("short"))).toBe("short")
      expect(yield* cache.get("a", Effect.fail("not now"))).toBe("short")
    })
  )
})
