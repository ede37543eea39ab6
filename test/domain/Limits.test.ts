import { describe, expect, test } from "vitest"
import { isFinished } from "../../src/domain/Execution.ts"
import { limitsFor, planCovers } from "../../src/domain/Organization.ts"
import { defaultWaitMs, maxWaitMs } from "../../src/domain/RunRequest.ts"

describe("the limits table", () => {
  test.each([
    ["free", "test", 60, 2],
    ["pro", "test", 60, 2],
    ["enterprise", "test", 60, 2],
    ["free", "live", 100, 5],
    ["pro", "live", 1000, 50]
  ] as const)("%s, %s key: %d requests a minute, %d at once", (plan, environment, requests, executions) => {
    expect(limitsFor(plan, environment)).toEqual({
      requestsPerMinute: requests,
      concurrentExecutions: executions
    })
  })

  test("enterprise is custom", () => {
    const custom = { requestsPerMinute: 5, concurrentExecutions: 7 }
    expect(limitsFor("enterprise", "live", custom)).toEqual(custom)
    expect(limitsFor("pro", "live", custom)).toEqual(limitsFor("pro", "live"))
  })

  test("a wait is 30 s when not said, and at most 60 s", () => {
    expect([defaultWaitMs, maxWaitMs]).toEqual([30_000, 60_000])
  })
})

test("a plan covers itself and what is below it", () => {
  const plans = ["free", "pro", "enterprise"] as const
  const covered = plans.map((plan) => plans.filter((required) => planCovers(plan, required)))
  expect(covered).toEqual([["free"], ["free", "pro"], ["free", "pro", "enterprise"]])
})

test("pending and running are the states that are not final", () => {
  expect(
    (["pending", "running", "completed", "failed", "cancelled"] as const).map((status) => isFinished(status))
  ).toEqual([false, false, true, true, true])
})
