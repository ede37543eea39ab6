import { Effect, Result } from "effect"
import * as fc from "../support/FastCheck.ts"
import { describe, expect, it } from "vitest"
import { Flow, type FlowSource, fromYaml, StepRegistry, toYaml } from "../../dsl/index.ts"
import { transform } from "../../src/steps/Transform.ts"
import { sha256 } from "../dsl/Support.ts"
import { runOn } from "../support/RunOn.ts"
import { type Plan, plans, type Schedule, stepsOf } from "./Plans.ts"
import { Work, workStep } from "./Support.ts"

const isLong = process.env["DOCFLOW_TEST_LONG"] === "1"

const sourceOf = (made: ReadonlyArray<Plan>, schedule: Schedule): FlowSource => {
  const steps = stepsOf(made, schedule)
  return {
    docflow: 1,
    id: "any",
    version: "1.0.0",
    name: "Any",
    document: { formats: ["application/pdf"] },
    steps,
    output: { value: { it: `\${{ steps.${steps.at(-1)?.id} }}` } }
  }
}

const flowOf = (made: ReadonlyArray<Plan>, schedule: Schedule, work = new Work()) =>
  Result.getOrThrowWith(
    Flow.check(sourceOf(made, schedule), {
      file: "any.yaml",
      registry: StepRegistry.make([transform, workStep(work)]),
      sha256
    }),
    (problems) => new Error(`${JSON.stringify(problems)}\n${toYaml(sourceOf(made, schedule))}`)
  )

const rising = (numbers: ReadonlyArray<number>): boolean =>
  numbers.every((number, index) => number >= (numbers[index - 1] ?? 0) && number <= 100)

describe("any flow", () => {
  it("survives the way to YAML and back", () => {
    fc.assert(
      fc.property(plans, (made) => {
        const source = sourceOf(made, "parallel")
        const read = Result.getOrThrow(fromYaml(toYaml(source), "any.yaml"))
        expect(Result.getOrThrow(fromYaml(toYaml(read), "any.yaml"))).toEqual(read)
        expect(read.steps).toMatchObject(source.steps)
      }),
      { numRuns: isLong ? 300 : 40 }
    )
  })

  it("gives the same side by side and one after the other, and its percentage never falls", async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (made) => {
        const parallel = runOn(flowOf(made, "parallel"))
        const sequential = runOn(flowOf(made, "sequential"))
        const output = await Effect.runPromise(parallel.effect)
        expect(await Effect.runPromise(sequential.effect)).toEqual(output)
        expect(rising(parallel.percentages)).toBe(true)
        expect(rising(sequential.percentages)).toBe(true)
      }),
      { numRuns: isLong ? 300 : 40 }
    )
  })

  it("gives the same after a crash at any point, and does no finished step again", async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (made) => {
        const flow = flowOf(made, "parallel")
        const whole = runOn(flow)
        const output = await Effect.runPromise(whole.effect)
        expect(new Set(whole.records.map(({ path }) => path)).size).toBe(whole.records.length)
        const few = Math.ceil(whole.records.length / 6)
        for (let crash = 0; crash <= whole.records.length; crash += few) {
          const journal = whole.records.slice(0, crash)
          const again = runOn(flow, {}, journal)
          expect(await Effect.runPromise(again.effect)).toEqual(output)
          const finished = new Set(journal.map(({ path }) => path))
          expect(again.started.filter((path) => finished.has(path))).toEqual([])
          expect(rising(again.percentages)).toBe(true)
        }
      }),
      { numRuns: isLong ? 120 : 15 }
    )
  })
})
