import { Effect, Result } from "effect"
import { describe, expect, it } from "vitest"
import { type CheckedFlow, FlowLibrary, type FlowText, StepRegistry } from "../../dsl/index.ts"
import type { StepRecord } from "../../src/engine/journal/StepRecord.ts"
import { flow as flowKind } from "../../src/steps/Flow.ts"
import { fail } from "../../src/steps/Fail.ts"
import { transform } from "../../src/steps/Transform.ts"
import { sha256 } from "../dsl/Support.ts"
import { runOn } from "../support/RunOn.ts"
import { Work, workStep } from "./Support.ts"

const source = (id: string, body: string, version = "1.0.0", pins?: Record<string, string>): FlowText => ({
  id,
  version,
  file: `${id}/${version}.yaml`,
  text: `docflow: 1\nid: ${id}\nversion: ${version}\nname: ${id}\ndocument: { formats: [application/pdf], maxPages: 5 }\n${body}`,
  pins
})
const call = (flow: string, rest = "") =>
  `uses: flow, with: { flow: ${flow}, document: "\${{ input.document }}"${rest} }`

const greeting = source(
  "greeting",
  `variables: { type: object, required: [name], properties: { name: { type: string, maxLength: 5 }, mark: { type: string, default: "!" } } }
steps:
  - { id: say, uses: work, with: { value: "hello \${{ variables.name }}" } }
  - { id: end, uses: work, with: { value: "\${{ steps.say }}\${{ variables.mark }}" } }
output: { value: { text: "\${{ steps.end }}", pages: "\${{ input.document.pageCount }}" } }
`
)
const outer = source(
  "outer",
  `steps:
  - { id: before, uses: work, with: { value: ann } }
  - id: each
    forEach:
      in: \${{ ["bob", steps.before] }}
      steps:
        - { id: greet, ${call("greeting", ', variables: { name: "${{ item }}" }')} }
  - { id: after, uses: transform, with: { value: "\${{ steps.each[1].text }}" } }
output: { value: { all: "\${{ steps.each.map(one, one.text) }}", last: "\${{ steps.after }}" } }
`
)

const library = (texts: ReadonlyArray<FlowText>, work = new Work()) =>
  new FlowLibrary<never>(texts, {
    registry: StepRegistry.make([transform, fail, flowKind, workStep(work)]),
    sha256
  })
const checked = (text: FlowText, texts: ReadonlyArray<FlowText>, work?: Work): CheckedFlow<never> =>
  Result.getOrThrowWith(
    library(texts, work).check(text),
    (problems) => new Error(problems.map(({ line, message }) => `${line}: ${message}`).join("\n"))
  )
const problemsOf = (text: FlowText, texts: ReadonlyArray<FlowText>) =>
  Result.match(library(texts).check(text), {
    onSuccess: () => [],
    onFailure: (problems) => problems.map(({ column, line, message }) => `${line}:${column} ${message}`)
  })
const caller = (step: string, output = "steps.a.text") =>
  source("caller", `steps:\n  - { id: a, ${step} }\noutput: { value: { v: "\${{ ${output} }}" } }\n`)
const failureOf = (text: FlowText, texts: ReadonlyArray<FlowText>, variables = {}) =>
  Effect.runPromise(Effect.flip(runOn(checked(text, texts), variables).effect))

const greeted = { all: ["hello bob!", "hello ann!"], last: "hello ann!" }

describe("a flow as a step", () => {
  it("runs its steps under the path of the step, each once", async () => {
    const work = new Work()
    const run = runOn(checked(outer, [greeting], work))
    expect(await Effect.runPromise(run.effect)).toEqual(greeted)
    expect(run.records.map(({ kind, path }) => `${path} ${kind}`)).toEqual([
      "before work",
      "each.0.greet.say work",
      "each.0.greet.end work",
      "each.0.greet flow",
      "each.1.greet.say work",
      "each.1.greet.end work",
      "each.1.greet flow",
      "each forEach",
      "after transform"
    ])
    expect(run.percentages).toEqual(run.percentages.toSorted((left, right) => left - right))
    expect(run.percentages.at(-1)).toBe(100)
  })

  it("gives the same after a crash at any point, and repeats nothing that is recorded", async () => {
    const whole = runOn(checked(outer, [greeting]))
    await Effect.runPromise(whole.effect)
    for (let kept = 0; kept <= whole.records.length; kept++) {
      const journal: ReadonlyArray<StepRecord> = whole.records.slice(0, kept)
      const again = runOn(checked(outer, [greeting]), {}, journal)
      expect(await Effect.runPromise(again.effect)).toEqual(greeted)
      const paths = new Set(journal.map(({ path }) => path))
      expect(again.started.filter((path) => paths.has(path))).toEqual([])
    }
  })

  it("is given a part of the document, by its pages or by what was read of them", async () => {
    const whole = source(
      "whole",
      `steps: [{ id: x, uses: transform, with: { value: "\${{ input.document }}" } }]\noutput: { value: { text: "\${{ steps.x.pages.from }}-\${{ steps.x.pages.to }} of \${{ steps.x.pageCount }}", read: "\${{ input.document.read != null }}" } }\n`
    )
    const middle = source(
      "middle",
      `steps: [{ id: a, uses: flow, with: { flow: whole, document: "\${{ input.document }}", pages: { from: 2, to: 3 } } }]\noutput: { value: "\${{ steps.a }}" }\n`
    )
    const step = `uses: flow, with: { flow: middle, document: "\${{ input.document }}", pages: { from: 3, to: 6 } }`
    const texts = [whole, { ...middle }]
    const run = (text: FlowText) =>
      Effect.runPromise(runOn(checked(text, texts), {}, [], {}, { pageCount: 9 }).effect)
    expect(await run(caller(step))).toEqual({ v: "4-5 of 2" })
    const read = `uses: flow, with: { flow: whole, document: { pages: [], extras: { pageCount: 0 } } }`
    expect(await run(caller(read, "steps.a.read"))).toEqual({ v: true })
    const beyond = caller(step.replace("to: 6", "to: 10"))
    const failure = await Effect.runPromise(
      Effect.flip(runOn(checked(beyond, texts), {}, [], {}, { pageCount: 9 }).effect)
    )
    expect(failure).toMatchObject({ _tag: "INVALID_DOCUMENT", step: "a" })
    const tooMany = await Effect.runPromise(
      Effect.flip(runOn(checked(caller(call("whole")), texts), {}, [], {}, { pageCount: 9 }).effect)
    )
    expect(tooMany).toMatchObject({
      _tag: "INVALID_DOCUMENT",
      message: expect.stringContaining("at most 5 pages")
    })
  })

  it("fails with the path of the step inside that failed, and may be handled", async () => {
    const broken = source(
      "broken",
      `steps: [{ id: no, uses: fail, with: { message: it is broken } }]\noutput: { value: { text: x } }\n`
    )
    expect(await failureOf(caller(call("broken")), [broken])).toMatchObject({
      message: "it is broken",
      step: "a.no"
    })
    const handled = caller(
      `${call("broken")}, onError: [{ id: b, uses: transform, with: { value: { text: "\${{ error.step }}" } } }]`
    )
    expect(await Effect.runPromise(runOn(checked(handled, [broken])).effect)).toEqual({ v: "a.no" })
  })

  it("judges its variables, its output and its time by its own rules", async () => {
    const named = (name: string) => caller(call("greeting", `, variables: { name: "${name}" }`))
    expect(await failureOf(named("too long"), [greeting])).toMatchObject({
      _tag: "VALIDATION_ERROR",
      step: "a"
    })
    const strict = source(
      "strict",
      `steps: [{ id: x, uses: transform, with: { value: private } }]\noutput: { schema: { type: object, properties: { text: { type: string, maxLength: 3 } } }, value: { text: "\${{ steps.x }}" } }\n`
    )
    const failure = await failureOf(caller(call("strict")), [strict])
    expect(failure).toMatchObject({
      _tag: "EXECUTION_FAILED",
      step: "a",
      message: "The output does not match output.schema: output.text must NOT have more than 3 characters"
    })
    const loose = source(
      "loose",
      `variables: { type: object, properties: { x: {} } }\nsteps: [{ id: x, uses: transform, with: { value: 1 } }]\noutput: { value: "\${{ variables.x }}" }\n`
    )
    for (const [x, found] of [
      [[1], "an array"],
      [null, "null"],
      ["a", "a string"]
    ] as const)
      expect(await failureOf(loose, [], { x })).toMatchObject({
        _tag: "EXECUTION_FAILED",
        message: `output.value must be an object, not ${found}.`
      })
    const slow = source(
      "slow",
      `timeout: 20ms\nsteps: [{ id: x, uses: work, with: { value: 1, ms: 5000 } }]\noutput: { value: { text: "\${{ steps.x }}" } }\n`
    )
    expect(await failureOf(caller(call("slow")), [slow])).toMatchObject({
      _tag: "EXECUTION_TIMEOUT",
      step: "a"
    })
  })
})

describe("checking a flow as a step", () => {
  it("types the output and the variables", () => {
    const named = call("greeting", ', variables: { name: "${{ input.document.size }}" }')
    expect(problemsOf(caller(named), [greeting])[0]).toContain("Expected a string")
    expect(problemsOf(caller(call("greeting")), [greeting])[0]).toContain('Missing required key "variables"')
    const misspelt = call("greeting", ", variables: { name: ann, mrak: x }")
    expect(problemsOf(caller(misspelt), [greeting])[0]).toContain('Unknown key "mrak"')
    const right = call("greeting", ", variables: { name: ann }")
    expect(problemsOf(caller(right), [greeting])).toEqual([])
    expect(problemsOf(caller(right, "steps.a.txt"), [greeting])[0]).toContain("txt")
  })

  const fine = source(
    "fine",
    `steps: [{ id: x, uses: transform, with: { value: 1 } }]\noutput: { value: { text: a } }\n`
  )
  it.each<readonly [string, FlowText, ReadonlyArray<FlowText>, string]>([
    ["an unknown flow", caller(call("fin")), [fine], '7:34 Unknown flow "fin". Available: fine.'],
    ["no flow at all", caller(call("fine")), [], '7:34 Unknown flow "fine": there are no flows here.'],
    [
      "a version that is not there",
      caller(call("fine", ', version: "^2.0.0"')),
      [fine],
      '7:87 No version of "fine" matches "^2.0.0". Available: 1.0.0.'
    ],
    [
      "a range that is none",
      caller(call("fine", ", version: newest")),
      [fine],
      '7:87 No version of "fine" matches "newest". Available: 1.0.0.'
    ],
    [
      "a flow with problems",
      caller(call("bad")),
      [source("bad", `steps: [{ id: x, uses: transfrom, with: { value: 1 } }]\noutput: { value: {} }\n`)],
      '7:34 The flow bad 1.0.0 has problems: bad/1.0.0.yaml:6:24: Unknown step kind "transfrom". Available: fail, flow, transform, work.'
    ],
    [
      "itself, by way of another",
      caller(call("b")),
      [
        source("b", `steps: [{ id: x, ${call("c")} }]\noutput: { value: { text: a } }\n`),
        source("c", `steps: [{ id: x, ${call("caller")} }]\noutput: { value: { text: a } }\n`),
        caller(call("b"))
      ],
      "7:34 The flow would run itself: caller 1.0.0 → b 1.0.0 → c 1.0.0 → caller 1.0.0."
    ],
    [
      "an expression for a name",
      caller(call('"${{ input.document.mimeType }}"')),
      [fine],
      '7:34 Expressions are not allowed here: "flow" must be known before a run.'
    ],
    [
      "a retry of the whole",
      caller(`${call("fine")}, retry: { attempts: 2 }`),
      [fine],
      '7:84 "retry" is not allowed in a step that runs a flow.'
    ]
  ])("reports %s", (_, text, texts, message) => {
    expect(problemsOf(text, texts).map((found) => found.replace(/^\d+:\d+ /u, ""))).toEqual([
      message.replace(/^\d+:\d+ /u, "")
    ])
    expect(problemsOf(text, texts)[0]).toMatch(/^7:\d+ /u)
  })

  it("reports flows that are nested too deeply", () => {
    const chain = Array.from({ length: 12 }, (_, index) =>
      source(
        `f${index}`,
        index === 11
          ? fine.text.split("\n").slice(5).join("\n")
          : `steps: [{ id: x, ${call(`f${index + 1}`)} }]\noutput: { value: { text: a } }\n`
      )
    )
    expect(problemsOf(caller(call("f0")), chain)[0]).toContain("more than 8 levels deep")
    expect(problemsOf(caller(call("f5")), chain)).toEqual([])
  })

  it("takes the newest version that fits, or the one that was settled", () => {
    const versions = ["1.0.0", "1.2.0", "1.3.0-rc.1", "2.0.0"].map((version) =>
      source(
        "fine",
        `steps: [{ id: x, uses: transform, with: { value: 1 } }]\noutput: { value: { text: "${version}" } }\n`,
        version
      )
    )
    const runs = (text: FlowText) => checked(text, versions).calls[0]?.version
    expect(runs(caller(call("fine")))).toBe("2.0.0")
    expect(runs(caller(call("fine", ', version: "^1.0.0"')))).toBe("1.2.0")
    expect(runs(caller(call("fine", ', version: "1.0.0"')))).toBe("1.0.0")
    expect(runs({ ...caller(call("fine")), pins: { fine: "1.0.0" } })).toBe("1.0.0")
    const [last, ...others] = versions.toReversed()
    const retired = [...others, ...(last === undefined ? [] : [{ ...last, retired: true }])]
    expect(checked(caller(call("fine")), retired).calls[0]?.version).toBe("1.2.0")
    expect(checked({ ...caller(call("fine")), pins: { fine: "2.0.0" } }, retired).calls[0]?.version).toBe(
      "2.0.0"
    )
  })
})
