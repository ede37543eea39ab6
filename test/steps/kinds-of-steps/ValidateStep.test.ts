import { describe, expect, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { check, StepRegistry } from "../../../dsl/index.ts"
import { failureCode, type StepContext } from "../../../dsl/model/StepKind.ts"
import { artifactsOf } from "../../../src/services/executions/Artifacts.ts"
import { RulesBroken, validate } from "../../../src/steps/Validate.ts"
import { head, sha256 } from "../../dsl/Support.ts"
import { runOn } from "../../support/RunOn.ts"

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
      expect(output).toMatchObject({ valid: true, problems: [], judged: 2, skipped: 0 })
    })
  )

  it.effect("skips what cannot be judged", () =>
    Effect.gen(function* () {
      const output = yield* validate.run({ rules: [rule(null, "error", ["date"]), rule(true)] }, context)
      expect(output).toEqual({
        valid: true,
        problems: [],
        judged: 1,
        skipped: 1,
        results: [
          { result: "skipped", message: "error date", severity: "error", fields: ["date"] },
          { result: "holds", message: "error", severity: "error", fields: [] }
        ]
      })
    })
  )

  it.effect("reports warnings and goes on", () =>
    Effect.gen(function* () {
      const output = yield* validate.run({ rules: [rule(false, "warning", ["total"])] }, context)
      expect(output).toEqual({
        valid: false,
        problems: [{ message: "warning total", severity: "warning", fields: ["total"] }],
        judged: 1,
        skipped: 0,
        results: [{ result: "broken", message: "warning total", severity: "warning", fields: ["total"] }]
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
      expect(error.findings.results.map(({ result }) => result)).toEqual(["broken", "broken", "broken"])
      expect(failureCode(validate, error)).toBe("VALIDATION_ERROR")
    })
  )

  it.effect("holds without rules", () =>
    Effect.gen(function* () {
      expect(yield* validate.run({ rules: [] }, context)).toEqual({
        valid: true,
        problems: [],
        judged: 0,
        skipped: 0,
        results: []
      })
    })
  )

  it.effect("shows the results of its rules in the artifacts, and nothing of that to the flow", () =>
    Effect.gen(function* () {
      const flow = Result.getOrThrow(
        check(
          `${head}steps:
  - id: judge
    uses: validate
    with: { rules: [{ that: false, else: It is wrong., fields: [total] }] }
    onError: continue
output:
  value: { judged: "\${{ steps.judge }}" }
`,
          { file: "flow.yaml", formats: ["application/pdf"], registry: StepRegistry.make([validate]), sha256 }
        )
      )
      const run = runOn(flow)
      expect(yield* run.effect).toEqual({ judged: null })
      expect(artifactsOf(StepRegistry.make([validate]), run.records)).toMatchObject({
        judge: {
          status: "failed",
          error: { code: "VALIDATION_ERROR", message: "It is wrong.", step: "judge" },
          results: [{ result: "broken", message: "It is wrong.", severity: "error", fields: ["total"] }]
        }
      })
    })
  )
})
