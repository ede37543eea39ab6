import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { WaitTimeout } from "../../src/client/index.ts"
import { awaitEnd } from "../../src/client/Polling.ts"

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }))
afterEach(() => void vi.useRealTimers())

const minutes = (count: number) => count * 60_000

/** Waits for an execution that ends after some time; when it was asked for, in milliseconds. */
const polled = async (endsAfter: number, longest: number, signal?: AbortSignal) => {
  const startedAt = performance.now()
  const times: Array<number> = []
  const waiting = awaitEnd(
    "exec_1",
    async () => {
      const now = performance.now() - startedAt
      times.push(now)
      return { status: now >= endsAfter ? ("completed" as const) : ("running" as const) }
    },
    longest,
    signal
  ).then(
    (execution) => execution,
    (error: unknown) => error
  )
  await vi.advanceTimersByTimeAsync(minutes(20))
  const result = await waiting
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  return { times, gaps, result }
}

it("polls every two to three seconds for half a minute, then less and less often", async () => {
  const { gaps, result, times } = await polled(minutes(5), minutes(10))
  expect(result).toEqual({ status: "completed" })
  gaps.forEach((gap, index) => {
    expect(gap).toBeLessThanOrEqual(30_000)
    if ((times[index] ?? 0) < 30_000) {
      expect(gap).toBeGreaterThanOrEqual(1_999)
      expect(gap).toBeLessThanOrEqual(3_001)
    } else expect(gap).toBeGreaterThanOrEqual((gaps[index - 1] ?? 0) - 1)
  })
  expect(gaps.at(-1)).toBeGreaterThan(29_000)
})

it("looks a last time when the wait is over, and says that the execution goes on", async () => {
  const { result, times } = await polled(minutes(60), minutes(10))
  expect(times.at(-1)).toBeGreaterThanOrEqual(minutes(10) - 1)
  expect(result).toBeInstanceOf(WaitTimeout)
  expect(result).toMatchObject({ executionId: "exec_1", message: expect.stringContaining("it continues") })
})

it("rejects with the reason of its signal", async () => {
  const controller = new AbortController()
  const reason = new Error("the user left")
  setTimeout(() => controller.abort(reason), 10_000)
  const { result, times } = await polled(minutes(60), minutes(10), controller.signal)
  expect(result).toBe(reason)
  expect(times.at(-1)).toBeLessThan(10_000)
})
