import { expect, it } from "@effect/vitest"
import { Clock, Duration, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { awaitEnd } from "../../src/client/Polling.ts"

const pending = {
  id: "exec_1",
  flowId: "text",
  version: "1.0.0",
  status: "running",
  createdAt: "2026-11-01T00:00:00.000Z"
} as const

const polled = (endsAfter: Duration.Duration, longest: Duration.Duration) =>
  Effect.gen(function* () {
    const times: Array<number> = []
    const get = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      times.push(now)
      return now >= Duration.toMillis(endsAfter) ? { ...pending, status: "completed" as const } : pending
    })
    const waiting = yield* Effect.forkChild(Effect.result(awaitEnd("exec_1", get, longest)))
    yield* TestClock.adjust("20 minutes")
    const result = yield* Fiber.join(waiting)
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    return { times, gaps, result }
  })

it.effect("polls every two to three seconds for half a minute, then less and less often", () =>
  Effect.gen(function* () {
    const { gaps, result, times } = yield* polled(Duration.minutes(5), Duration.minutes(10))
    expect(result).toMatchObject({ _tag: "Success", success: { status: "completed" } })
    gaps.forEach((gap, index) => {
      if ((times[index] ?? 0) < 30_000) {
        expect(gap).toBeGreaterThanOrEqual(2_000)
        expect(gap).toBeLessThanOrEqual(3_000)
      } else {
        expect(gap).toBeGreaterThanOrEqual(gaps[index - 1] ?? 0)
        expect(gap).toBeLessThanOrEqual(30_000)
      }
    })
    expect(gaps.at(-1)).toBe(30_000)
  })
)

it.effect("looks a last time when the wait is over, and says that the execution goes on", () =>
  Effect.gen(function* () {
    const { result, times } = yield* polled(Duration.hours(1), Duration.minutes(10))
    expect(times.at(-1)).toBe(600_000)
    expect(result).toMatchObject({
      _tag: "Failure",
      failure: { _tag: "WaitTimeout", executionId: "exec_1" }
    })
  })
)
