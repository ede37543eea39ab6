import { assert, describe, it } from "@effect/vitest"
import { Clock, Duration, Effect, Fiber, Random, Result } from "effect"
import { TestClock } from "effect/testing"
import * as Breaker from "../../src/providers/llm/Breaker.ts"
import { CallFailure, unavailable } from "../../src/providers/llm/CallFailure.ts"
import { makeGuard } from "../../src/providers/llm/Guard.ts"
import { ModelPlaces } from "../../src/providers/llm/ModelPlaces.ts"
import { backoff, defaultRetries } from "../../src/providers/llm/RetryWait.ts"

const down = unavailable("it is down", "Wait")
const limited = (retryAfter: string) =>
  new CallFailure({
    reason: "limited",
    what: "it has enough",
    todo: "Wait",
    again: true,
    down: false,
    retryAfter
  })

const guardOf = Effect.fnUntraced(function* (places = 4) {
  const clock = yield* Clock.Clock
  return yield* makeGuard({
    model: "openai:test-model",
    places: new ModelPlaces(places, () => clock.currentTimeMillisUnsafe()),
    timeLimit: Duration.seconds(10),
    retries: defaultRetries
  })
})

/** An attempt that goes as told, and the times at which it was made. */
const attempts = (behave: (count: number) => Effect.Effect<string, CallFailure>) => {
  const times: Array<number> = []
  const attempt = Effect.flatMap(Clock.currentTimeMillis, (now) => {
    times.push(now)
    return behave(times.length)
  })
  return { times, attempt }
}

/** Lets so much time pass, and gives the result. */
const after = <A, E, R>(duration: Duration.Input, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(Effect.result(effect))
    yield* TestClock.adjust(duration)
    return yield* Fiber.join(fiber)
  })

describe("further attempts", () => {
  it.effect("wait longer and longer, anything up to a limit that doubles", () =>
    Effect.gen(function* () {
      const longest = [1, 2, 4, 8, 16, 20, 20]
      for (const [index, limit] of longest.entries()) {
        const waits = yield* Effect.replicateEffect(backoff(defaultRetries, index + 1), 200)
        const parts = waits.map((wait) => Duration.toSeconds(wait) / limit)
        assert.isBelow(Math.min(...parts), 0.1)
        assert.isAbove(Math.max(...parts), 0.9)
        assert.isAtMost(Math.max(...parts), 1)
      }
    }).pipe(Random.withSeed("backoff"))
  )

  it.effect("are made six times", () =>
    Effect.gen(function* () {
      const guard = yield* guardOf()
      const { attempt, times } = attempts(() => Effect.fail(unavailable("it is away", "Wait")))
      const result = yield* after(
        "10 minutes",
        guard(() => attempt)
      )
      assert.strictEqual(times.length, 6)
      assert.deepInclude(Result.isFailure(result) && result.failure, {
        reason: "unavailable",
        what: "it is away, after 6 attempts"
      })
    })
  )

  it.effect("after the time limit are made only twice", () =>
    Effect.gen(function* () {
      const guard = yield* guardOf()
      const { attempt, times } = attempts(() => Effect.never)
      const result = yield* after(
        "10 minutes",
        guard(() => attempt)
      )
      assert.strictEqual(times.length, 3)
      assert.strictEqual(Result.isFailure(result) && result.failure.reason, "timed-out")
    })
  )

  it.effect("come no sooner than Retry-After asks, in seconds", () =>
    Effect.gen(function* () {
      const guard = yield* guardOf()
      const { attempt, times } = attempts((count) =>
        count === 1 ? Effect.fail(limited("30")) : Effect.succeed("well")
      )
      const result = yield* after(
        "1 minute",
        guard(() => attempt)
      )
      assert.isTrue(Result.isSuccess(result))
      const waited = (times[1] ?? 0) - (times[0] ?? 0)
      assert.isAtLeast(waited, 30_000)
      assert.isAtMost(waited, 31_000)
    })
  )

  it.effect("come no sooner than Retry-After asks, as a date", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-01-01T00:00:00Z"))
      const guard = yield* guardOf()
      const { attempt, times } = attempts((count) =>
        count === 1 ? Effect.fail(limited("Thu, 01 Jan 2026 00:00:20 GMT")) : Effect.succeed("well")
      )
      yield* after(
        "1 minute",
        guard(() => attempt)
      )
      assert.isAtLeast(times[1] ?? 0, Date.parse("2026-01-01T00:00:20Z"))
    })
  )

  it.effect("are put off by a minute at most", () =>
    Effect.gen(function* () {
      const guard = yield* guardOf()
      const { attempt, times } = attempts((count) =>
        count === 1 ? Effect.fail(limited("86400")) : Effect.succeed("well")
      )
      const result = yield* after(
        "62 seconds",
        guard(() => attempt)
      )
      assert.isTrue(Result.isSuccess(result))
      assert.isAtLeast(times[1] ?? 0, 60_000)
    })
  )

  it.effect("of others wait too while the provider asks to be left alone", () =>
    Effect.gen(function* () {
      const guard = yield* guardOf()
      const first = yield* Effect.forkChild(guard(() => attempts(() => Effect.fail(limited("30"))).attempt))
      yield* TestClock.adjust(1)
      const other = attempts(() => Effect.succeed("well"))
      yield* after(
        "1 minute",
        guard(() => other.attempt)
      )
      assert.isAtLeast(other.times[0] ?? 0, 30_000)
      yield* Fiber.interrupt(first)
    })
  )
})

/** A breaker after a number of failures in a row. */
const failing = (times: number): Breaker.Breaker => {
  let breaker = Breaker.closed
  for (let made = 0; made < times; made++) breaker = Breaker.failed(breaker, 1000)
  return breaker
}

describe("the breaker", () => {
  it("opens at the tenth failure in a row", () => {
    assert.deepStrictEqual(failing(9), { state: "closed", failures: 9 })
    assert.deepStrictEqual(failing(10), { state: "open", until: 31_000 })
    assert.deepStrictEqual(Breaker.succeeded(), Breaker.closed)
  })

  it("lets one request try after half a minute", () => {
    const open = failing(10)
    assert.deepStrictEqual(Breaker.admit(open, 30_999), [false, open])
    const [admitted, halfOpen] = Breaker.admit(open, 31_000)
    assert.isTrue(admitted)
    assert.strictEqual(Breaker.admit(halfOpen, 31_000)[0], false)
    assert.deepStrictEqual(Breaker.failed(halfOpen, 40_000), { state: "open", until: 70_000 })
    assert.strictEqual(Breaker.admit(Breaker.abandoned(halfOpen, 35_000), 35_000)[0], true)
  })

  it.effect("lets one request try later, and the others when that one got through", () =>
    Effect.gen(function* () {
      const guard = yield* guardOf(20)
      const many = yield* Effect.forkChild(
        Effect.replicateEffect(Effect.result(guard(() => Effect.fail(down))), 10, { concurrency: 10 })
      )
      yield* TestClock.adjust(0)
      yield* Fiber.interrupt(many)
      yield* TestClock.adjust("31 seconds")
      const { attempt, times } = attempts(() => Effect.as(Effect.sleep("1 second"), "well"))
      const trying = yield* Effect.forkChild(guard(() => attempt))
      yield* TestClock.adjust(0)
      const other = yield* after(
        0,
        guard(() => attempt)
      )
      assert.strictEqual(Result.isFailure(other) && other.failure.reason, "breaker-open")
      assert.strictEqual(times.length, 1)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Fiber.join(trying), "well")
      assert.isTrue(
        Result.isSuccess(
          yield* after(
            "1 second",
            guard(() => attempt)
          )
        )
      )
    })
  )

  it.effect("fails a request at once while it is open", () =>
    Effect.gen(function* () {
      const guard = yield* guardOf(20)
      const { attempt, times } = attempts(() => Effect.fail(down))
      const many = yield* Effect.forkChild(
        Effect.replicateEffect(Effect.result(guard(() => attempt)), 10, { concurrency: 10 })
      )
      yield* TestClock.adjust(0)
      assert.strictEqual(times.length, 10)
      const result = yield* after(
        0,
        guard(() => attempt)
      )
      assert.strictEqual(Result.isFailure(result) && result.failure.reason, "breaker-open")
      assert.strictEqual(times.length, 10)
      yield* Fiber.interrupt(many)
    })
  )

  it.effect("does not open because of limits", () =>
    Effect.gen(function* () {
      const guard = yield* guardOf(40)
      const odd = attempts(() => Effect.fail(limited("0")))
      yield* after(
        "1 hour",
        Effect.replicateEffect(Effect.result(guard(() => odd.attempt)), 20, { concurrency: 20 })
      )
      assert.strictEqual(odd.times.length, 120)
      assert.isTrue(
        Result.isSuccess(
          yield* after(
            0,
            guard(() => Effect.succeed("well"))
          )
        )
      )
    })
  )
})

describe("with a fault in three of ten attempts", () => {
  it.effect("at least 99 of 100 requests succeed and the breaker stays closed", () =>
    Effect.gen(function* () {
      const guard = yield* guardOf(16)
      const faults = [Effect.fail(down), Effect.fail(limited("1")), Effect.never]
      const attempt = Effect.gen(function* () {
        if ((yield* Random.next) >= 0.3) return "well"
        return yield* faults[Math.floor((yield* Random.next) * faults.length)] ?? Effect.fail(down)
      })
      const fiber = yield* Effect.forkChild(
        Effect.replicateEffect(Effect.result(guard(() => attempt)), 3000, { concurrency: 16 })
      )
      yield* TestClock.adjust("12 hours")
      const failures = (yield* Fiber.join(fiber)).flatMap((result) =>
        Result.isFailure(result) ? [result.failure.reason] : []
      )
      assert.isAtMost(failures.length, 30)
      assert.notInclude(failures, "breaker-open")
    }).pipe(Random.withSeed("thirty percent"))
  )
})
