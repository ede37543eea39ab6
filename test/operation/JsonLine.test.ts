import { describe, expect, it } from "@effect/vitest"
import { Cause, Effect, Logger, Redacted } from "effect"
import { formatJsonLine } from "../../src/app/Observability.ts"

/** The lines that a logger writes for some entries of every kind. */
const linesOf = (logger: Logger.Logger<unknown, string>) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const log = Effect.gen(function* () {
      yield* Effect.logInfo("request").pipe(
        Effect.annotateLogs({ path: '/"\\\u2028\n', status: 200, isLate: true }),
        Effect.withLogSpan("waiting")
      )
      yield* Effect.logInfo("key").pipe(Effect.annotateLogs({ key: Redacted.make("k-1") }))
      yield* Effect.logInfo("count").pipe(Effect.annotateLogs({ count: 12n, nothing: undefined }))
      yield* Effect.logError("failed", new Error("no disk"), { parts: ["a", Redacted.make("k-2")] })
      yield* Effect.logError("died", Cause.die(new Error("no memory")))
      yield* Effect.logInfo({ message: "an object" })
    })
    yield* Effect.provide(log, Logger.layer([Logger.map(logger, (line) => void lines.push(line))]))
    return lines.map((line) => line.replace(/\n\s+at [^"]*/u, "").replace(/"#\d+"/u, '"#1"'))
  })

describe("the lines of the log", () => {
  it.effect("are those of Effect, with secrets hidden", () =>
    Effect.gen(function* () {
      const lines = yield* linesOf(formatJsonLine)
      expect(lines).toEqual(yield* linesOf(Logger.formatJson))
      expect(lines).toHaveLength(6)
      expect(lines.join()).not.toContain("k-1")
      expect(lines.join()).not.toContain("k-2")
    })
  )
})
