import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { compileExpression } from "../../dsl/expression/Expression.ts"
import { expressionBudget } from "../../dsl/expression/Scope.ts"
import * as Type from "../../dsl/types/Type.ts"
import { check, type CheckedFlow } from "../../dsl/index.ts"
import { ExecutionBudget, within } from "../../src/engine/program/ExecutionBudget.ts"
import { StepRegistry } from "../../dsl/index.ts"
import { fail } from "../../src/steps/Fail.ts"
import { transform } from "../../src/steps/Transform.ts"
import { head, sha256 } from "../dsl/Support.ts"
import { withinCpuMs } from "../support/CpuTime.ts"
import { runOn } from "../support/RunOn.ts"

const checked = (steps: string, output: string): CheckedFlow<never> =>
  Result.getOrThrowWith(
    check(`${head}steps:\n${steps.replace(/^/gmu, "  ")}\noutput: { value: { it: "\${{ ${output} }}" } }\n`, {
      file: "f.yaml",
      registry: StepRegistry.make([transform, fail]),
      sha256
    }),
    (problems) => new Error(JSON.stringify(problems))
  )

/** Steps each of which uses the one before twice, in `how`. */
const doublingSteps = (count: number, how: (before: string) => string, first: string): string =>
  Array.from({ length: count }, (_, index) => {
    const value = index === 0 ? first : how(`steps.s${index - 1}`)
    return `- { id: s${index}, uses: transform, with: { value: ${value} } }`
  }).join("\n")

const textSteps = (count: number) =>
  doublingSteps(count, (before) => `"\${{ ${before} }}\${{ ${before} }}"`, "0123456789abcdef")
const listSteps = (count: number) =>
  doublingSteps(count, (before) => `"\${{ [${before}, ${before}] }}"`, '"${{ [1, 2] }}"')

/** A flow of nothing but such steps. */
const doubling = (steps: string) => checked(steps, `size(steps.s${steps.split("\n").length - 1})`)

/** Runs a flow to its failure. */
const failureOf = (flow: CheckedFlow<never>) =>
  runOn(flow).effect.pipe(Effect.catchTag("BlobStoreFailure", Effect.die), Effect.flip)

describe("a flow that doubles what the step before made", () => {
  it.effect("as a string in a template is ended by the limit of a string", () =>
    Effect.gen(function* () {
      const flow = doubling(textSteps(60))
      const { _tag: code, message } = yield* failureOf(flow)
      assert.strictEqual(code, "EXECUTION_FAILED")
      assert.include(message, "at most 4194304 are allowed")
    })
  )

  it.effect("as a list is ended by the limit of outputs, though the list itself is small", () =>
    Effect.gen(function* () {
      const flow = doubling(listSteps(60))
      const { message, step } = yield* failureOf(flow)
      assert.match(message, /more than 33554432 characters as JSON.*limit: value/u)
      assert.match(step ?? "", /^s\d\d$/u)
    })
  )

  it.effect("in one expression that is written as JSON is ended by the budget of an expression", () =>
    Effect.gen(function* () {
      const doubled = Array.from({ length: 10 }, () => ".map(a, [a, a, a, a, a, a, a, a])").join("")
      const flow = checked(
        `- { id: bomb, uses: transform, with: { value: "\${{ json([[1]]${doubled}) }}" } }`,
        "size(steps.bomb)"
      )
      const { message } = yield* failureOf(flow)
      assert.include(message, "exceeds its budget of 1000000 operations")
    })
  )
})

describe("a step that is small as a flow and large when it runs", () => {
  const doubled = ".map(a, [a, a, a, a, a, a, a, a])".repeat(6)

  it.effect("with many expressions is ended by the budget of a step", () =>
    Effect.gen(function* () {
      const values = Array.from({ length: 100 }, () => `"\${{ size(json([1]${doubled})) }}"`)
      const flow = checked(`- { id: bomb, uses: transform, with: { value: [${values.join(", ")}] } }`, "1")
      const { message } = yield* failureOf(flow)
      assert.include(message, "exceed their budget of 3000000 operations (limit: expressions of a step)")
    })
  )

  it.effect("that fails with megabytes fails with a message of 4,096 characters", () =>
    Effect.gen(function* () {
      const flow = checked(
        `${textSteps(16)}\n- { id: bomb, uses: fail, with: { message: "\${{ steps.s15 }}" } }`,
        "1"
      )
      const { message } = yield* failureOf(flow)
      assert.strictEqual(message.length, 4096)
    })
  )
})

describe("a flow of many steps in a row", () => {
  it.effect("gives way after each of them", () =>
    Effect.gen(function* () {
      let turns = 0
      let counting = true
      const count = () => {
        turns++
        if (counting) setImmediate(count)
      }
      setImmediate(count)
      const steps = Array.from(
        { length: 40 },
        (_, index) => `- { id: s${index}, uses: transform, with: { value: 1 } }`
      )
      yield* runOn(checked(steps.join("\n"), "1")).effect
      counting = false
      assert.isAtLeast(turns, 40)
    })
  )
})

describe("a flow with many expressions that each keep to their budget", () => {
  const doubled = Array.from({ length: 18 }, (_, index) => {
    const before = index === 0 ? "[1]" : `steps.s${index - 1}`
    return `- { id: s${index}, uses: transform, with: { value: "\${{ ${before} + ${before} }}" } }`
  })
  const items = JSON.stringify(Array.from({ length: 150 }, (_, index) => index))
  const work = '{ id: work, uses: transform, with: { value: "${{ size(steps.s17 + steps.s17) }}" } }'
  const loop = `- { id: loop, forEach: { in: "\${{ ${items} }}", as: i, steps: [${work}] } }`

  it.effect("is ended by the budget of all expressions together", () =>
    Effect.gen(function* () {
      const flow = checked([...doubled, loop].join("\n"), "1")
      const { _tag: code, message, step } = yield* failureOf(flow)
      assert.strictEqual(code, "EXECUTION_FAILED")
      assert.match(message, /exceed their budget of 50000000 operations \(limit: expressions\)/u)
      assert.match(step ?? "", /^loop\.\d\d\.work$/u)
    })
  )
})

describe("a flow of very many steps", () => {
  it.effect("is ended by the limit of steps, which no onError goes on from", () =>
    Effect.gen(function* () {
      const ten = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]"
      const loop = (id: string, inside: string) =>
        `{ id: ${id}, onError: continue, forEach: { in: "\${{ ${ten} }}", as: ${id}x, steps: [${inside}] } }`
      const inner = "{ id: work, uses: transform, onError: continue, with: { value: 1 } }"
      const loops = ["a", "b", "c", "d", "e"].reduce((inside, id) => loop(id, inside), inner)
      const flow = checked(`- ${loops}`, "1")
      const { effect, records } = runOn(flow)
      const { message } = yield* effect.pipe(Effect.catchTag("BlobStoreFailure", Effect.die), Effect.flip)
      assert.include(message, "more than 10000 steps (limit: steps)")
      assert.isAtMost(records.length, 10_000)
      assert.include(JSON.stringify(records.at(-1)), "limit: steps")
    })
  )
})

describe("an expression that looks at something large again and again", () => {
  const large = "aé".repeat(200_000)
  const numbers = Array.from({ length: 10_000 }, (_, index) => index)
  const values = {
    numbers,
    large,
    copy: large.split("").join(""),
    strings: numbers.map(String),
    object: Object.fromEntries(numbers.map((number) => [`k${number}`, number]))
  }

  it.each([
    "upper(steps.large)",
    "lower(steps.large)",
    "trim(steps.large)",
    "steps.large == steps.copy",
    "steps.large < steps.copy",
    "contains(steps.large, steps.copy)",
    "startsWith(steps.large, steps.copy)",
    "endsWith(steps.large, steps.copy)",
    "steps.large in steps.strings",
    "steps.large in steps.object",
    'steps.large.matches("(?i)[a-z]+é?(b|c|d)")',
    "size(steps.object)",
    "sum(steps.numbers)",
    "average(steps.numbers)",
    "min(steps.numbers)",
    "max(steps.strings)",
    "join(steps.strings)"
  ])("%s is ended by the budget of an expression", (inner) => {
    const { evaluate, problems } = compileExpression(`steps.numbers.map(q, ${inner})`, {
      types: {
        kind: "object",
        fields: new Map([["steps", { type: Type.any, optional: false }]]),
        rest: undefined
      }
    })
    assert.deepStrictEqual(problems, [])
    const budget = { left: 50_000, spent: "It is used up." }
    const scope = { input: null, variables: null, steps: values, [expressionBudget]: budget }
    const result = withinCpuMs(2000, () => evaluate(scope))
    assert.strictEqual(Result.isFailure(result) && result.failure.message, budget.spent)
  })
})

describe("the budget of an execution", () => {
  const limits = { steps: 2, valueSize: 100, outputSize: 100, totalSize: 150 }

  it("counts strings, names and values", () => {
    const budget = new ExecutionBudget(limits)
    assert.isTrue(Result.isSuccess(budget.add({ name: "x".repeat(72) })))
    assert.isTrue(Result.isFailure(budget.fits({ name: "x".repeat(90) })))
    assert.isTrue(Result.isFailure(within(budget, Result.succeed("x".repeat(93)))))
    assert.isTrue(Result.isFailure(budget.add({ name: "x".repeat(72) })))
  })

  it.effect("does not count the pages that a step read as part of what expressions make of them", () =>
    Effect.gen(function* () {
      const budget = new ExecutionBudget({ ...limits, outputSize: 1000, totalSize: 2000 })
      const document = { pages: [{ text: "x".repeat(300) }], extras: {} }
      assert.isTrue(Result.isFailure(budget.fits({ document })))
      assert.isTrue(Result.isSuccess(yield* budget.addReading({ document })))
      assert.isTrue(Result.isSuccess(budget.fits({ document })))
      assert.isTrue(Result.isFailure(budget.fits({ text: "x".repeat(300) })))
      assert.isTrue(
        Result.isFailure(yield* budget.addReading({ document: { pages: [{ text: "x".repeat(1000) }] } }))
      )
    })
  )

  it("names the limit", () => {
    const budget = new ExecutionBudget(limits)
    const results = [budget.step(), budget.step(), budget.step(), budget.fits("x".repeat(101))]
    assert.deepStrictEqual(
      results.map((result) => (Result.isFailure(result) ? result.failure.limit : "fits")),
      ["fits", "fits", "steps", "value"]
    )
  })
})
