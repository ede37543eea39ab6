import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { memoryStore, StepCache } from "../../src/engine/program/StepCache.ts"
import { runOn } from "../support/RunOn.ts"
import { flowOf, Work } from "./Support.ts"

const flow = (work: Work) =>
  flowOf(
    `
  - { id: a, uses: work, cache: 1m, with: { value: { n: "\${{ variables.n }}" } } }
  - { id: b, uses: work, cache: 1m, with: { value: { n: "\${{ variables.n }}" } } }`,
    "[ '${{ steps.a }}', '${{ steps.b }}' ]",
    { work, top: "variables: { type: object, required: [n], properties: { n: { type: number } } }\n" }
  )

describe("cache", () => {
  it("uses an output again for the same configuration", async () => {
    const work = new Work()
    const made = flow(work)
    const store = memoryStore()
    const run = (n: number) =>
      Effect.runPromise(Effect.provideService(runOn(made, { n }).effect, StepCache, store))
    expect(await run(1)).toEqual({ it: [{ n: 1 }, { n: 1 }] })
    expect(work.done).toEqual(["a"])
    expect(await run(2)).toEqual({ it: [{ n: 2 }, { n: 2 }] })
    expect(await run(1)).toEqual({ it: [{ n: 1 }, { n: 1 }] })
    expect(work.done).toEqual(["a", "a"])
  })

  it("gives no organization an output of another", async () => {
    const work = new Work()
    const made = flow(work)
    const store = memoryStore()
    const run = (organizationId: string) =>
      Effect.runPromise(
        Effect.provideService(runOn(made, { n: 1 }, [], {}, {}, organizationId).effect, StepCache, store)
      )
    await run("org_a")
    await run("org_b")
    await run("org_a")
    expect(work.done).toEqual(["a", "a"])
  })

  it("forgets what is too old, and what was used least when it is full", () => {
    const store = memoryStore(40)
    store.keep("old", "1", 10)
    expect(store.find("old", 11)).toBeUndefined()
    store.keep("huge", "x".repeat(20), 100)
    expect(store.find("huge", 1)).toBeUndefined()
    for (const key of ["a", "b", "c", "d"]) store.keep(key, "x".repeat(10), 100)
    expect(store.find("a", 1)).toBeDefined()
    store.keep("e", "x".repeat(10), 100)
    expect(["a", "b", "c", "d", "e"].filter((key) => store.find(key, 1) !== undefined)).toEqual([
      "a",
      "c",
      "d",
      "e"
    ])
  })
})

const outcome = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(Effect.result(effect))

describe("maxCredits", () => {
  it("refuses a document that would cost more, before any step", async () => {
    const run = runOn(
      flowOf("  - { id: a, uses: transform, with: { value: 1 } }", "1", {
        top: "credits: { perPage: 3 }\nmaxCredits: 2\n"
      })
    )
    expect(await outcome(run.effect)).toMatchObject({
      failure: {
        _tag: "EXECUTION_FAILED",
        message: "The document needs 3 credits; the flow allows 2 for an execution"
      }
    })
    expect(run.started).toEqual([])
  })
})
