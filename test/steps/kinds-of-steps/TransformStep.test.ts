import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { failureCode, type StepContext } from "../../../dsl/model/StepKind.ts"
import { fail } from "../../../src/steps/Fail.ts"
import { transform } from "../../../src/steps/Transform.ts"

const context: StepContext = {
  executionId: "e",
  path: "shaped",
  environment: "test",
  progress: () => Effect.void
}

describe("transform", () => {
  it.effect("gives the value itself", () =>
    Effect.gen(function* () {
      const value = { a: [1, null] }
      expect(yield* transform.run({ value }, context)).toBe(value)
    })
  )

  it("is typed by its value", () => {
    const type = {
      type: "object",
      properties: { value: { type: "object", properties: { a: { type: "number" } } } }
    }
    expect(transform.outputType?.({}, type)).toEqual({
      type: "object",
      properties: { a: { type: "number" } }
    })
    expect(transform.outputType?.({}, {})).toEqual({})
  })
})

describe("fail", () => {
  it.effect("fails with its message", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(fail.run({ message: "Not an invoice." }, context))
      expect(error.message).toBe("Not an invoice.")
      expect(failureCode(fail, error)).toBe("EXECUTION_FAILED")
    })
  )
})
