import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { failureCode, type StepContext } from "../../dsl/StepKind.ts"
import { RulesBroken, validate } from "../../src/steps/Validate.ts"

const context: StepContext = {
  executionId: "e",
  path: "checks",
  environment: "test",
  progress: () => Effect.void
}
const rule = (
  that: boolean | null,
  severity: "error" | "warning" = "error",
  fields: ReadonlyArray<string> = []
) => ({
  that,
  else: `${severity} ${fields.join(" ")}`.trim(),
  severity,
  fields
})

describe("validate", () => {
  it.effect("succeeds when every rule holds", () =>
    Effect.gen(function* () {
      const output = yield* validate.run({ rules: [rule(true), rule(true, "warning")] }, context)
      expect(output).toEqual({ valid: true, problems: [], judged: 2, skipped: 0 })
    })
  )

  it.effect("skips what cannot be judged", () =>
    Effect.gen(function* () {
      const output = yield* validate.run({ rules: [rule(null), rule(true)] }, context)
      expect(output).toEqual({ valid: true, problems: [], judged: 1, skipped: 1 })
    })
  )

  it.effect("reports warnings and goes on", () =>
    Effect.gen(function* () {
      const output = yield* validate.run({ rules: [rule(false, "warning", ["total"])] }, context)
      expect(output).toEqual({
        valid: false,
        problems: [{ message: "warning total", severity: "warning", fields: ["total"] }],
        judged: 1,
        skipped: 0
      })
    })
  )

  it.effect("fails with the messages of all broken rules of severity error", () =>
    Effect.gen(function* () {
      const rules = [
        rule(false, "error", ["total"]),
        rule(false, "warning"),
        rule(false, "error", ["total", "date"])
      ]
      const error = yield* Effect.flip(validate.run({ rules }, context))
      expect(error).toBeInstanceOf(RulesBroken)
      expect(error.messages).toEqual(["error total", "error total date"])
      expect(error.message).toBe("error total error total date")
      expect(error.fields).toEqual(["total", "date"])
      expect(failureCode(validate, error)).toBe("VALIDATION_ERROR")
    })
  )

  it.effect("holds without rules", () =>
    Effect.gen(function* () {
      expect(yield* validate.run({ rules: [] }, context)).toEqual({
        valid: true,
        problems: [],
        judged: 0,
        skipped: 0
      })
    })
  )
})
