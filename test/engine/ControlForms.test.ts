import { Effect, Fiber } from "effect"
import { describe, expect, it } from "vitest"
import { at } from "../support/Json.ts"
import { runOn } from "../support/RunOn.ts"
import { flowOf, Work } from "./Support.ts"

const outcome = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(Effect.result(effect))
const output = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(effect).then((all) => at(all, "it"))

describe("parallel", () => {
  const listed = `
  - id: both
    parallel:
      - { id: left, uses: work, with: { value: 1, ms: 20 } }
      - { id: right, uses: work, with: { value: 2, ms: 20 } }`

  it("runs side by side, and gives what each branch gives", async () => {
    const work = new Work()
    const run = runOn(flowOf(listed, `"\${{ steps.both.left + steps.both.right }}"`, { work }))
    expect(await output(run.effect)).toBe(3)
    expect(work.most).toBe(2)
    expect(run.records.map(({ path }) => path).sort()).toEqual(["both", "both.left", "both.right"])
    expect(run.started.sort()).toEqual(["both", "both.left", "both.right"])
  })

  it("has named branches with outputs of their own", async () => {
    const run = runOn(
      flowOf(
        `
  - id: both
    parallel:
      text:
        - { id: a, uses: transform, with: { value: one } }
        - { id: b, uses: transform, with: { value: "\${{ steps.a }} two" } }
      size:
        steps:
          - { id: a, uses: transform, with: { value: [1, 2] } }
        output: \${{ size(steps.a) }}`,
        "${{ steps.both }}"
      )
    )
    expect(await output(run.effect)).toEqual({ text: "one two", size: 2 })
    expect(run.records.map(({ path }) => path)).toContain("both.text.b")
  })

  it("fails with the first branch that fails, and interrupts the others", async () => {
    const work = new Work()
    const run = runOn(
      flowOf(
        `
  - id: both
    parallel:
      - { id: slow, uses: work, with: { value: 1, ms: 60000 } }
      - { id: bad, uses: work, with: { value: 2, ms: 5, fails: true } }`,
        "1",
        { work }
      )
    )
    expect(await outcome(run.effect)).toMatchObject({
      failure: { _tag: "PROVIDER_ERROR", step: "both.bad", message: "both.bad broke" }
    })
    expect(work.interrupted).toEqual(["both.slow"])
  })
})

const loop = (concurrency: number) => `
  - id: each
    forEach:
      in: [3, 1, 2]
      as: n
      concurrency: ${concurrency}
      steps:
        - { id: twice, uses: work, with: { value: "\${{ n * 2 }}", ms: "\${{ n }}" } }
      output: { twice: "\${{ steps.twice }}", index: "\${{ index }}" }`

describe("forEach", () => {
  it.each([1, 2, 3])("gives the list of what its block gives, %i at once", async (concurrency) => {
    const work = new Work()
    const run = runOn(flowOf(loop(concurrency), "${{ steps.each }}", { work }))
    expect(await output(run.effect)).toEqual([
      { twice: 6, index: 0 },
      { twice: 2, index: 1 },
      { twice: 4, index: 2 }
    ])
    expect(work.most).toBe(concurrency)
    expect(run.records.map(({ path }) => path).sort()).toEqual([
      "each",
      "each.0.twice",
      "each.1.twice",
      "each.2.twice"
    ])
  })

  it("takes an empty list, and loops inside loops", async () => {
    const nested = flowOf(
      `
  - id: none
    forEach:
      in: \${{ [1].filter(x, x > 1) }}
      steps: [{ id: a, uses: transform, with: { value: "\${{ item }}" } }]
  - id: rows
    forEach:
      in: [[1, 2], [3]]
      as: row
      steps:
        - id: cells
          forEach: { in: "\${{ row }}", as: cell, steps: [{ id: c, uses: transform, with: { value: "\${{ cell + size(row) }}" } }] }`,
      "[ '${{ steps.none }}', '${{ steps.rows }}' ]"
    )
    const run = runOn(nested)
    expect(await output(run.effect)).toEqual([[], [[3, 4], [4]]])
    expect(run.records.map(({ path }) => path)).toContain("rows.1.cells.0.c")
  })
})

const kind = (value: string) =>
  flowOf(
    `
  - { id: kind, uses: transform, with: { value: "\${{ variables.kind }}" } }
  - id: chosen
    switch:
      cases:
        - when: steps.kind == "a"
          steps: [{ id: x, uses: transform, with: { value: first } }]
        - when: \${{ steps.kind == "b" }}
          steps: [{ id: x, uses: transform, with: { value: second } }]
${value}`,
    "${{ steps.chosen }}",
    { top: "variables: { type: object, required: [kind], properties: { kind: { type: string } } }\n" }
  )

describe("switch", () => {
  const withDefault = kind(`      default: [{ id: x, uses: transform, with: { value: other } }]`)

  it.each([
    ["a", "first", "chosen.0.x"],
    ["b", "second", "chosen.1.x"],
    ["c", "other", "chosen.default.x"]
  ])("runs the case of %s", async (given, expected, path) => {
    const run = runOn(withDefault, { kind: given })
    expect(await output(run.effect)).toBe(expected)
    expect(run.records.map((record) => record.path)).toEqual(["kind", path, "chosen"])
  })

  it("gives null when no case holds and there is no default", async () => {
    expect(await output(runOn(kind(""), { kind: "c" }).effect)).toBeNull()
  })
})

describe("blocks", () => {
  it("are skipped as a whole", async () => {
    const work = new Work()
    const run = runOn(
      flowOf(
        `
  - id: part
    if: variables.on
    steps: [{ id: a, uses: work, with: { value: 1 } }]`,
        `"\${{ steps.part }}"`,
        { work, top: "variables: { type: object, properties: { on: { type: boolean, default: false } } }\n" }
      ),
      { on: false }
    )
    expect(await output(run.effect)).toBeNull()
    expect(run.records).toMatchObject([{ path: "part", status: "skipped" }])
    expect(work.done).toEqual([])
  })

  it("end at their time limit", async () => {
    const work = new Work()
    const run = runOn(
      flowOf(
        `
  - id: part
    timeout: 500ms
    onError: continue
    steps: [{ id: a, uses: work, with: { value: 1, ms: 60000 } }]`,
        `"\${{ steps.part }}"`,
        { work }
      )
    )
    expect(await output(run.effect)).toBeNull()
    expect(run.records).toMatchObject([
      { path: "part", status: "failed", error: { code: "EXECUTION_TIMEOUT", step: "part" } }
    ])
    expect(work.interrupted).toEqual(["part.a"])
  })
})

describe("onError", () => {
  it("runs other steps, which see the error and give the output", async () => {
    const run = runOn(
      flowOf(
        `
  - id: risky
    uses: work
    with: { value: 1, fails: true }
    onError:
      - { id: instead, uses: transform, with: { value: "\${{ error.code }}: \${{ error.message }}" } }`,
        "${{ steps.risky }}"
      )
    )
    expect(await output(run.effect)).toBe("PROVIDER_ERROR: risky broke")
    expect(run.records.map(({ path, status }) => [path, status])).toEqual([
      ["risky", "failed"],
      ["risky.onError.instead", "completed"]
    ])
  })

  it("fails with what fails in these steps", async () => {
    const run = runOn(
      flowOf(
        `
  - id: risky
    steps: [{ id: a, uses: work, with: { value: 1, fails: true } }]
    onError: [{ id: stop, uses: fail, with: { message: "Gave up after \${{ error.step }}" } }]`,
        "1"
      )
    )
    expect(await outcome(run.effect)).toMatchObject({
      failure: { _tag: "EXECUTION_FAILED", message: "Gave up after risky.a", step: "risky.onError.stop" }
    })
  })
})

describe("an interruption", () => {
  it("reaches the steps inside blocks", async () => {
    const work = new Work()
    const run = runOn(
      flowOf(
        `
  - id: each
    forEach:
      in: [1, 2]
      concurrency: 2
      steps: [{ id: wait, uses: work, with: { value: 1, ms: 60000 } }]`,
        "1",
        { work }
      )
    )
    const fiber = Effect.runFork(run.effect)
    while (work.most < 2) await new Promise((resolve) => setTimeout(resolve, 1))
    await Effect.runPromise(Fiber.interrupt(fiber))
    expect(work.interrupted.sort()).toEqual(["each.0.wait", "each.1.wait"])
    expect(run.records).toEqual([])
  })
})
