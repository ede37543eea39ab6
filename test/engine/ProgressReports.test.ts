import { assert, describe, it } from "@effect/vitest"
import { Effect, Scope, Exit } from "effect"
import { TestClock } from "effect/testing"
import { makeProgressReports } from "../../src/engine/journal/Progress.ts"

const reporting = Effect.gen(function* () {
  const written: Array<string> = []
  const reports = yield* makeProgressReports((path, percentage) =>
    Effect.sync(() => void written.push(`${path} ${percentage}`))
  )
  return { written, ...reports }
})

describe("reports of progress", () => {
  it.effect("come at most every 300 ms, the latest of each time, and none before", () =>
    Effect.gen(function* () {
      const { report, written } = yield* reporting
      yield* report("read", 10)
      yield* TestClock.adjust("200 millis")
      yield* report("read", 20)
      assert.deepStrictEqual(written, [])
      yield* TestClock.adjust("100 millis")
      assert.deepStrictEqual(written, ["read 20"])
      yield* report("read", 30)
      yield* TestClock.adjust("299 millis")
      assert.deepStrictEqual(written, ["read 20"])
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(written, ["read 20", "read 30"])
      yield* TestClock.adjust("1 hour")
      yield* report("read", 40)
      yield* TestClock.adjust("0 millis")
      assert.deepStrictEqual(written, ["read 20", "read 30", "read 40"])
    })
  )

  it.effect("do not come of a step that has ended, nor after the execution", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { ended, report, written } = yield* Scope.provide(reporting, scope)
      yield* report("read", 10)
      ended("read")
      yield* TestClock.adjust("1 second")
      yield* report("ask", 50)
      ended("read")
      yield* Scope.close(scope, Exit.void)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(written, [])
    })
  )
})
