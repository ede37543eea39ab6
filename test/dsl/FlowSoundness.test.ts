import { Effect, Result } from "effect"
import * as fc from "../support/FastCheck.ts"
import { describe, expect, it } from "vitest"
import { compileJsonSchema } from "../../dsl/model/Ajv.ts"
import { runOn } from "../support/RunOn.ts"
import { checkFlow, head } from "./Support.ts"

const variables = fc.record(
  {
    amount: fc.double({ noNaN: true, noDefaultInfinity: true }),
    note: fc.string({ maxLength: 5 }),
    lines: fc.array(
      fc.record({ net: fc.option(fc.integer(), { nil: null }), text: fc.string({ maxLength: 5 }) }),
      { maxLength: 3 }
    )
  },
  { requiredKeys: ["lines"] }
)
const schema = `{ type: object, required: [lines], properties: { amount: { type: number, default: 1 }, note: { type: string }, lines: { type: array, items: { type: object, required: [net, text], properties: { net: { type: [number, "null"] }, text: { type: string } } } } } }`

/** A value of a transform: expressions over the variables and the step before. */
const value = (before: string) =>
  fc.constantFrom(
    `{ a: "\${{ variables.amount }}", b: "\${{ size(variables.lines) }}" }`,
    `{ a: "\${{ ${before}.a }}", b: "\${{ ${before}.b }}" }`,
    `{ a: "\${{ ${before}.a * 2 }}", b: "\${{ size(variables.note) }}" }`,
    `{ a: "\${{ sum(variables.lines.map(l, l.net)) }}", b: 1 }`,
    `{ a: "\${{ coalesce(${before}.a, 0) / ${before}.b }}", b: "\${{ round(variables.amount) }}" }`,
    `{ a: "\${{ variables.lines[0].net }}", b: null }`,
    `{ a: 1.5, b: "\${{ ${before}.b == null ? 0 : ${before}.b }}" }`
  )
const condition = fc.constantFrom(
  "",
  "if: variables.amount > 1, ",
  "if: true, ",
  `if: "variables.note != null", `,
  "if: size(variables.note) > 2, "
)
const output = fc.constantFrom(
  `{ a: "\${{ steps.s2.a }}", b: "\${{ steps.s1.b }}" }`,
  `{ a: "\${{ coalesce(steps.s2.a, 1) }}" }`,
  `{ a: "\${{ steps.s1.a }}", text: "\${{ steps.s2.b }} of \${{ variables.note }}" }`
)
const promised = fc.constantFrom(
  "",
  `  schema: { type: object, properties: { a: { type: number } } }\n`,
  `  schema: { type: object, required: [a], properties: { a: { type: number } } }\n`,
  `  schema: { type: object, required: [a], properties: { a: { type: [number, "null"] }, b: { type: [integer, "null"] }, text: { type: string } } }\n`
)

const source = fc
  .tuple(
    fc.constant(`{ a: "\${{ variables.amount }}", b: 3 }`),
    condition,
    value("steps.s1"),
    condition,
    value("steps.s1"),
    output,
    promised
  )
  .map(
    ([first, when, second, whenToo, third, out, promise]) => `${head}variables: ${schema}
steps:
  - { id: s1, ${when}uses: transform, with: { value: ${first} } }
  - { id: s2, ${whenToo}uses: transform, with: { value: ${second} } }
  - { id: s3, uses: transform, with: { value: ${third} } }
output:
${promise}  value: ${out}
`
  )

describe("a flow that passed its check", () => {
  it("never fails, and gives what its schema promises", async () => {
    let passed = 0
    await fc.assert(
      fc.asyncProperty(source, variables, async (text, given) => {
        const flow = checkFlow(text)
        if (Result.isFailure(flow)) return
        passed++
        const plain: unknown = JSON.parse(JSON.stringify(given))
        const filled = Result.getOrThrow(flow.success.validateVariables(plain))
        const out = await Effect.runPromise(runOn(flow.success, filled).effect)
        const promise = Result.getOrThrow(compileJsonSchema(flow.success.outputSchema))
        expect({ text, out, wrong: promise(structuredClone(out)) }).toEqual({ text, out, wrong: [] })
      }),
      { numRuns: 120 }
    )
    expect(passed).toBeGreaterThan(50)
  })
})
