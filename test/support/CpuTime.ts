import { expect } from "vitest"

/**
 * Runs `work` and expects it to use less than `most` milliseconds of this thread's CPU. Unlike the time on the clock, that
 * does not grow when other programs keep the machine busy.
 */
export const withinCpuMs = <A>(most: number, work: () => A): A => {
  const before = process.threadCpuUsage()
  const result = work()
  const { system, user } = process.threadCpuUsage(before)
  expect((user + system) / 1000, "milliseconds of CPU").toBeLessThan(most)
  return result
}
